package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"runtime"
)

// The list of components of a program, in the form of CycloneDX 1.6.
type bom struct {
	Schema       string       `json:"$schema"`
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Licenses   []license  `json:"licenses"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// components returns the list of components of a program, from what Go recorded in it. The graph
// names the modules of the program without their own requirements. It has no time: equal programs
// have equal lists.
func (b *builder) components(p platform, program []byte) ([]byte, error) {
	info, err := infoOf(program)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(program)
	main := b.component("application", b.module, b.version, "MIT")
	main.Name = "condense"
	main.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	main.Properties = []property{{"goos", p.os}, {"goarch", p.arch}}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			main.Properties = append(main.Properties, property{s.Key, s.Value})
		}
	}
	list := []component{b.component("library", standard, runtime.Version(), b.licences[standard]...)}
	for _, dep := range info.Deps {
		c := b.component("library", dep.Path, dep.Version, b.licences[dep.Path]...)
		c.Properties = []property{{"h1", dep.Sum}}
		list = append(list, c)
	}
	graph := dependency{Ref: main.Ref}
	for _, c := range list {
		graph.DependsOn = append(graph.DependsOn, c.Ref)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	err = e.Encode(bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1,
		Serial:   fmt.Sprintf("urn:uuid:%x-%x-8%s-8%s-%x", sum[:4], sum[4:6], hex(sum[6:8]), hex(sum[8:10]), sum[10:16]),
		Metadata: metadata{main}, Components: list, Dependencies: []dependency{graph},
	})
	return out.Bytes(), err
}

// component returns a component with the package URL of a Go module.
func (b *builder) component(kind, path, version string, licences ...string) component {
	url := "pkg:golang/" + path + "@" + version
	c := component{Type: kind, Ref: url, Name: path, Version: version, PURL: url, Licenses: []license{}}
	for _, id := range licences {
		var l license
		l.License.ID = id
		c.Licenses = append(c.Licenses, l)
	}
	return c
}

// hex returns the last three hexadecimal digits of bytes; the first has the version or the variant of
// a UUID.
func hex(b []byte) string { return fmt.Sprintf("%x", b)[1:] }
