package cmd

import (
	"strings"
	"testing"
)

// TestCommandTree checks that every command has a summary, a text and an example, and is mentioned
// in the README or in a page.
func TestCommandTree(t *testing.T) {
	documents := readPages(t)
	for _, c := range newRoot(&app{env: func(string) string { return "" }}).Commands() {
		if c.IsAdditionalHelpTopicCommand() || c.Name() == "help" { // not a command, or one of the library
			continue
		}
		for _, c := range append(c.Commands(), c) {
			if c.Short == "" || c.Long == "" || c.Example == "" {
				t.Errorf("%s has no summary, text or example", c.CommandPath())
			}
			if !strings.Contains(documents, c.CommandPath()) {
				t.Errorf("no page names %s", c.CommandPath())
			}
		}
	}
}
