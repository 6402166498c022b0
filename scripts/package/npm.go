package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"path"
	"strings"
)

//go:embed files/condense.js
var launcher []byte

// A manifest is a package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  map[string]string `json:"repository"`
	Bin         map[string]string `json:"bin,omitempty"`
	Engines     map[string]string `json:"engines,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Unplugged   bool              `json:"preferUnplugged,omitempty"` // package managers must unpack a program
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

// npmName returns the name of the npm package: that of the module, in the scope of its owner.
func (b *builder) npmName() string {
	name := path.Base(majorVersion.ReplaceAllString(b.module, ""))
	switch m := owned.FindStringSubmatch(b.module); {
	case b.npm != "":
		return b.npm
	case m != nil:
		return strings.ToLower("@" + m[1] + "/" + name)
	}
	return name
}

// The names that node has for systems and processors.
var nodeNames = map[string]string{"windows": "win32", "amd64": "x64"}

func nodeName(name string) string {
	if other := nodeNames[name]; other != "" {
		return other
	}
	return name
}

// npmPackages returns a package with a program for each platform, and a package that depends on all
// of them as options: npm installs the one that fits.
func (b *builder) npmPackages() ([]file, error) {
	version, _, _ := strings.Cut(b.number(), "+") // npm ignores what follows
	common := manifest{
		Version: version, Description: "Shrink saved LLM conversations without breaking them", License: "MIT",
		Repository: map[string]string{"type": "git", "url": "git+" + b.repository() + ".git"},
	}
	main := common
	main.Name, main.Optional = b.npmName(), map[string]string{}
	main.Bin, main.Engines = map[string]string{"condense": "bin/condense.js"}, map[string]string{"node": ">=18"}
	var files []file
	for _, p := range b.platforms {
		program, err := b.build(p, fromNPM)
		if err != nil {
			return nil, err
		}
		m := common
		m.OS, m.CPU, m.Unplugged = []string{nodeName(p.os)}, []string{nodeName(p.arch)}, true
		m.Name = main.Name + "-" + m.OS[0] + "-" + m.CPU[0]
		m.Description = "The program of " + main.Name + " for " + m.OS[0] + " " + m.CPU[0]
		main.Optional[m.Name] = version
		packed, err := b.npmPackage(m, file{"bin/" + p.binary(), 0o755, program})
		if err != nil {
			return nil, err
		}
		files = append(files, packed)
	}
	packed, err := b.npmPackage(main, file{"bin/condense.js", 0o755, launcher}, file{"README.md", 0o644, b.readme})
	return append(files, packed), err
}

// npmPackage returns the tarball of a package.
func (b *builder) npmPackage(m manifest, files ...file) (file, error) {
	var description bytes.Buffer
	e := json.NewEncoder(&description)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return file{}, err
	}
	files = append(files, file{"package.json", 0o644, description.Bytes()}, file{"LICENSE", 0o644, b.licence}, file{"NOTICES.txt", 0o644, b.notices})
	for i := range files {
		files[i].name = "package/" + files[i].name
	}
	data, err := tarball(files)
	name := strings.ReplaceAll(strings.TrimPrefix(m.Name, "@"), "/", "-")
	return file{name + "-" + m.Version + ".tgz", 0o644, data}, err
}
