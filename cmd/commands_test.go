package cmd

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestCommands checks that the commands for restoring originals exist.
func TestCommands(t *testing.T) {
	var names []string
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			path := strings.TrimPrefix(sub.CommandPath(), "condense ")
			names = append(names, path)
			walk(sub)
		}
	}
	walk(newRoot(&app{env: func(string) string { return "" }}))
	for _, want := range []string{"restore", "show", "grep", "stash", "stash list", "stash gc"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no condense %s", want)
		}
	}
}
