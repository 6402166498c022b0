// Gen-vocab writes the tables in transcript/token/bpe. The vocabularies are those of
// tiktoken-go-loader, which must equal the ones that OpenAI published. The classes of
// characters are those of classes.txt, which classes.mjs writes.
//
//	go run ./scripts/gen-vocab
//
// It must run at the top of the tree. The same sources always make the same tables.
package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/pkoukk/tiktoken-go-loader/assets"

	"condense/transcript/token/bpe"
)

const out = "transcript/token/bpe"

// published holds the SHA-256 hashes in openai/tiktoken, tiktoken_ext/openai_public.py.
var published = map[string]string{
	"o200k_base":  "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
	"cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}

func main() {
	log.SetFlags(0)
	for name, hash := range published {
		if err := vocabulary(name, hash); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
	}
	if err := classes(); err != nil {
		log.Fatalf("classes: %v", err)
	}
}

func vocabulary(name, hash string) error {
	file, err := assets.Assets.ReadFile(name + ".tiktoken")
	if err != nil {
		return err
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(file)); got != hash {
		return fmt.Errorf("the SHA-256 of the source is %s, expected %s", got, hash)
	}
	var tokens []string
	for line := range strings.Lines(string(file)) {
		var text string
		var id int
		if _, err := fmt.Sscanf(line, "%s %d\n", &text, &id); err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		token, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		if id != len(tokens) {
			return fmt.Errorf("found token %d, expected %d", id, len(tokens))
		}
		tokens = append(tokens, string(token))
	}
	tables, err := bpe.Build(tokens)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, name+".bin"), tables, 0o644)
}

func classes() error {
	list, err := os.ReadFile("scripts/gen-vocab/classes.txt")
	if err != nil {
		return err
	}
	table, err := bpe.BuildClasses(string(list))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "classes.bin"), table, 0o644)
}
