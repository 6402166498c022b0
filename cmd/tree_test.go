package cmd

import (
	"os"
	"strings"
	"testing"
)

// TestCommandTree: every command has a summary, a text and an example, and stands in the README.
func TestCommandTree(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newRoot(&app{env: func(string) string { return "" }}).Commands() {
		if c.IsAdditionalHelpTopicCommand() || c.Name() == "help" { // a text, or the library's own
			continue
		}
		for _, c := range append(c.Commands(), c) {
			if c.Short == "" || c.Long == "" || c.Example == "" {
				t.Errorf("%s has no summary, text or example", c.CommandPath())
			}
			if !strings.Contains(string(readme), c.CommandPath()) {
				t.Errorf("the README does not name %s", c.CommandPath())
			}
		}
	}
}
