package cmd

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// designed are the commands of DESIGN §7: no other is there, though not all may be yet.
var designed = strings.Fields(`run batch filter tokens stats compare show grep stash strategies models formats config completion
	man version check validate repair diff explain restore`)

// TestCommandTree holds the commands against the design, and the README and the help against the
// commands: each, and each below it, is told of, with a summary, a text and an example.
func TestCommandTree(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range newRoot(&app{env: func(string) string { return "" }}).Commands() {
		if c.IsAdditionalHelpTopicCommand() || c.Name() == "help" { // a text, or the library's own
			continue
		}
		names = append(names, c.Name())
		if !slices.Contains(designed, c.Name()) {
			t.Errorf("%s is no command of the design", c.Name())
		}
		for _, c := range append(c.Commands(), c) {
			if c.Short == "" || c.Long == "" || c.Example == "" {
				t.Errorf("%s has no summary, text or example", c.CommandPath())
			}
			if !strings.Contains(string(readme), c.CommandPath()) {
				t.Errorf("the README does not tell of %s", c.CommandPath())
			}
		}
	}
	for _, want := range strings.Fields("run validate repair tokens stats compare check diff explain models formats strategies config completion man version") {
		if !slices.Contains(names, want) {
			t.Errorf("there is no command %s", want)
		}
	}
}
