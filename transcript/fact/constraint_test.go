package fact

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

func TestConstraints(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"none", "Please fix the parser. It fails on tabs.", nil},
		{"English", "Fix it. Never touch the lock file! You MUST run the tests. Thanks.", []string{"Never touch the lock file!", "You MUST run the tests."}},
		{"in a list", "Rules:\n- do not add packages\n 2) from now on, one commit a day\n> don’t rename\n", []string{"do not add packages", "from now on, one commit a day", "don’t rename"}},
		{"a number without a space", "1.Never push\n12)always test", []string{"Never push", "always test"}},
		{"a number of its own", "3 retries must do", []string{"3 retries must do"}},
		{"a name is no end", "Only edit a.go and v1.2 files", []string{"Only edit a.go and v1.2 files"}},
		{"a word inside another", "mustard, lonely, commonly doused", nil},
		{"German", "Bitte umbauen. Du darfst das, aber die Tests müssen laufen.", []string{"Du darfst das, aber die Tests müssen laufen."}},
		{"French", "N'y touche jamais s'il te plaît.", []string{"N'y touche jamais s'il te plaît."}},
		{"Spanish", "Hazlo. No uses nunca la rama principal.", []string{"No uses nunca la rama principal."}},
		{"Russian", "Исправь. Никогда не трогай этот файл.", []string{"Никогда не трогай этот файл."}},
		{"Chinese", "请修改。不要改动测试文件！谢谢。", []string{"不要改动测试文件！"}},
		{"Japanese", "直してください。テストは必ず実行すること。", []string{"テストは必ず実行すること。"}},
		{"Korean", "고쳐 주세요. 절대 삭제하지 마세요.", []string{"절대 삭제하지 마세요."}},
		{"too long to be a sentence", "always " + strings.Repeat("x", longestSentence), nil},
		{"too short", "only", nil},
		{"long words", strings.Repeat("w", 500) + " never " + strings.Repeat("я", 20), []string{strings.Repeat("w", 500) + " never " + strings.Repeat("я", 20)}},
	}
	for _, tt := range tests {
		var got []string
		Constraints(tt.text, func(at int, s string) {
			if !strings.HasPrefix(tt.text[at:], s) {
				t.Errorf("%s: %q is not at %d", tt.name, s, at)
			}
			got = append(got, s)
		})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDemandsAreFindable checks that no word of the tables is longer than what is
// compared.
func TestDemandsAreFindable(t *testing.T) {
	for w := range demanding {
		if len(w) >= maxDemand || !demands("x "+w+" y") {
			t.Errorf("%q is not found", w)
		}
	}
	for p := range demandingPairs {
		if !demands(strings.ToUpper(p[0]) + "  " + p[1] + ".") {
			t.Errorf("%q is not found", p)
		}
	}
	for _, p := range demandingPhrases {
		if !demands("x" + p + "y") {
			t.Errorf("%q is not found", p)
		}
	}
}

func FuzzConstraints(f *testing.F) {
	f.Add("Never do that. Only this!\n- must\x80not\n必须这样。")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		Constraints(text, func(at int, s string) {
			if at < last || !strings.HasPrefix(text[at:], s) {
				t.Fatalf("%q at %d after %d", s, at, last)
			}
			last = at + len(s)
		})
	})
}

func TestInstructs(t *testing.T) {
	text := func(by transcript.Origin, s string) *transcript.Block {
		return &transcript.Block{Origin: by, Parts: []transcript.Part{{Text: s}}}
	}
	tests := []struct {
		by   transcript.Role
		b    *transcript.Block
		want bool
	}{
		{transcript.System, text(transcript.Injected, "You must never push."), true},
		{transcript.User, text(transcript.Injected, "# AGENTS.md instructions for /srv\n\nNever push."), true},
		{transcript.User, text(transcript.Injected, "\n<user_instructions>\nNever push.\n</user_instructions>"), true},
		{transcript.User, text(transcript.Injected, "<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# claudeMd"), true},
		{transcript.User, text(transcript.Injected, "<local-command-stdout>You must never push.</local-command-stdout>"), false},
		{transcript.User, text(transcript.Injected, "<bash-stdout># AGENTS.md\nYou must never push.</bash-stdout>"), false},
		{transcript.User, text(transcript.Injected, "<system-reminder>a.go was changed:\n1 You must never push.</system-reminder>"), false},
		{transcript.User, text(transcript.Injected, "Base directory for this skill: /srv/x\nYou must never push."), false},
		{transcript.User, text(transcript.Typed, "# AGENTS.md instructions"), false},
		{transcript.Assistant, text(transcript.ByModel, "# AGENTS.md instructions"), false},
		{transcript.Tool, text(transcript.Injected, "<user_instructions>"), false},
		{transcript.User, &transcript.Block{Kind: transcript.ToolResult, Origin: transcript.Injected, Parts: []transcript.Part{{Text: "# AGENTS.md"}}}, false},
	}
	for _, tt := range tests {
		if got := Instructs(tt.by, tt.b); got != tt.want {
			t.Errorf("%s, %s: %q: got %t", tt.by, tt.b.Origin, tt.b.Text(), got)
		}
	}
}
