package strategy

import (
	"slices"
	"testing"

	"condense/transcript"
)

func TestUnmatched(t *testing.T) {
	c := conv(user("Close the valve."), model("Yes.", call("1", "Bash", "command=close")), tool("1", "closed at 9:00\nvalve_3"),
		model("", call("2", "Read", "file_path=/src/a.go")), tool("2", "package a"), hidden(user("secret")))
	only := func(names ...string) Options { return Options{PinOptions: PinOptions{Only: globs(t, names...)}} }
	for _, tt := range []struct {
		name string
		opts Options
		want []string
	}{
		{"nothing is named", Options{}, nil},
		{"all is there", Options{PinOptions: PinOptions{Pin: patterns("valve", "(?i)PACKAGE"), Protect: patterns("^valve_3$"), ProtectTools: globs(t, "Ba*"), Only: globs(t, "Read"), ProtectPaths: globs(t, "*.go"), Messages: Range{6, 9}}, PreparationOptions: PreparationOptions{Caps: []Cap{{must(ParseGlob("Bash")), 5}}}}, nil},
		{"each of several", Options{PinOptions: PinOptions{Pin: patterns("valve", "pump", "tap")}}, []string{"Pin pump: nothing matches it", "Pin tap: nothing matches it"}},
		{"what is hidden is not changed anyway", Options{PinOptions: PinOptions{Pin: patterns("secret")}}, []string{"Pin secret: nothing matches it"}},
		{"a line is matched alone", Options{PinOptions: PinOptions{Protect: patterns(`9:00\nvalve`)}}, []string{`Protect 9:00\nvalve: no line matches it`}},
		{"case matters in names", only("bash"), []string{"Only tool:bash: no such tool is called, but Bash, Read"}},
		{"caps", Options{PreparationOptions: PreparationOptions{Caps: []Cap{{must(ParseGlob("mcp__*")), 500}}}}, []string{"Caps mcp__*=500: no such tool is called, but Bash, Read"}},
		{"tools", Options{PinOptions: PinOptions{ProtectTools: globs(t, "Edit")}}, []string{"ProtectTools Edit: no such tool is called, but Bash, Read"}},
		{"paths", Options{PinOptions: PinOptions{ProtectPaths: globs(t, "*.rs")}}, []string{"ProtectPaths *.rs: no call names such a path"}},
		{"messages", Options{PinOptions: PinOptions{Messages: Range{7, 0}}}, []string{"Messages 7..: the last message is 6"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, u := range tt.opts.Unmatched([]*transcript.Conversation{conv(user("x")), c}) {
				got = append(got, u.Field+" "+u.Value+": "+u.Problem)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	o := only("Bash")
	if got := o.Unmatched(nil); got != nil {
		t.Errorf("without conversations: %v", got)
	}
	if got := o.Unmatched([]*transcript.Conversation{conv(user("x"))}); len(got) != 1 || got[0] != (Unmatched{"Only", "tool:Bash", "no tool is called"}) {
		t.Errorf("without calls: %v", got)
	}
}

func TestRangeText(t *testing.T) {
	for _, s := range []string{"12..40", "12..", "12"} {
		if r, err := ParseRange(s); err != nil || r.String() != s {
			t.Errorf("%s came out as %q, %v", s, r, err)
		}
	}
	if got := (Range{}).String(); got != "" {
		t.Errorf("the zero Range is %q", got)
	}
}
