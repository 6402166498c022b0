// Gen-secrets writes transcript/redact/rules.go and the examples in transcript/redact/testdata
// from the rules of gitleaks, which the Go module proxy provides.
//
//	go run ./scripts/gen-secrets
//
// It must run at the top of the tree. The same version always makes the same files.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
)

// The version of gitleaks, with the hash that the Go checksum database has for it.
const (
	gitleaks = "github.com/zricethezav/gitleaks/v8@v8.30.1"
	sum      = "h1:PmEvCfVI7ti9dV3s5aMZUY7sS2GxRvG3yzih7E+cS3w="
)

const out = "transcript/redact"

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	dir, err := download()
	if err != nil {
		return err
	}
	config, err := os.ReadFile(filepath.Join(dir, "config", "gitleaks.toml"))
	if err != nil {
		return err
	}
	licence, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
	if err != nil {
		return err
	}
	var rules []rule
	for _, from := range parse(string(config)) {
		if left[from.id] != "" {
			continue
		}
		converted, err := convert(from)
		if err != nil {
			return fmt.Errorf("%s: %w", from.id, err)
		}
		rules = append(rules, converted...)
	}
	source, err := render(rules, string(licence))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(out, "rules.go"), source, 0o644); err != nil {
		return err
	}
	examples, err := examples(filepath.Join(dir, "cmd", "generate", "config", "rules"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "testdata", "gitleaks.txt"), examples, 0o644)
}

// download returns the folder of the module, which the go command downloads and verifies.
func download() (dir string, err error) {
	answer, err := exec.Command("go", "mod", "download", "-json", gitleaks).Output()
	if err != nil {
		return "", err
	}
	var module struct{ Dir, Sum string }
	if err := json.Unmarshal(answer, &module); err != nil {
		return "", err
	}
	if module.Sum != sum {
		return "", fmt.Errorf("the hash of %s is %s, expected %s", gitleaks, module.Sum, sum)
	}
	return module.Dir, nil
}
