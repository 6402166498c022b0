package config

import (
	"strings"
	"testing"
)

// TestPresetFlags checks that the settings of a preset are shown as they would be typed.
func TestPresetFlags(t *testing.T) {
	p, err := ParsePreset("aggressive")
	if err != nil {
		t.Fatal(err)
	}
	const want = "--strategy hybrid --target 20% --keep-rounds 3 --images 'last 1'"
	if got := p.Flags(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	help := PresetHelp()
	if strings.HasSuffix(help, "\n") || strings.Count(help, "\n") != 2*len(Presets)-1 {
		t.Errorf("not two lines for each preset:\n%s", help)
	}
	for _, p := range Presets {
		if !strings.Contains(help+"\n", "  "+p.Name+strings.Repeat(" ", 13-len(p.Name))+p.Why+":\n"+strings.Repeat(" ", 15)+p.Flags()+"\n") {
			t.Errorf("%s is not in the help:\n%s", p.Name, help)
		}
		for _, s := range p.Sets {
			if s.Why == "" {
				t.Errorf("%s sets %s without a reason", p.Name, s.Flag)
			}
		}
	}
}
