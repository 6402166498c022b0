package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

func globs(t *testing.T, list ...string) (res []Glob) {
	t.Helper()
	for _, s := range list {
		g, err := parseGlob(s)
		if err != nil {
			t.Fatal(err)
		}
		res = append(res, g)
	}
	return res
}

func TestProtectCalls(t *testing.T) {
	mentioned := injected("package b")
	mentioned.Parts[0].Name = "src/b.go"
	c := conv(concat(
		msgs(model("first")),
		round("1", "Read", "path=/home/a/src/a.go", "package a"),
		round("2", "mcp__files__read", "files[0].path=src/b.go", "package b"),
		round("3", "apply_patch", "input=*** Begin Patch\n*** Update File: src/a.go\n@@\n-a\n+b\n*** End Patch", "done"),
		msgs(model(prose("4", "read_file", "<read_file><path>src/a.go</path></read_file>")), user(result("4", "package a"))),
		msgs(model(call("5", "Bash", "command=cat src/a.go")), user(result("5", "package a"))),
		msgs(user(mentioned), model("last")),
	)...)
	tests := []struct {
		tools, paths []string
		want         string
	}{
		{nil, nil, "P . . . . . . . . . . . P"},
		{[]string{"Read"}, nil, "P V V . . . . . . . . . P"},
		{[]string{"mcp__*", "Bash"}, nil, "P . . V V . . . . V V . P"},
		{nil, []string{"a.go"}, "P V V . . V V V V . . . P"},
		{nil, []string{"src/b.*"}, "P . . V V . . . . . . V P"},
		{[]string{"Bash"}, []string{"/home/**"}, "P V V . . . . . . V V . P"},
	}
	for _, tt := range tests {
		o := &Options{ProtectTools: globs(t, tt.tools...), ProtectPaths: globs(t, tt.paths...)}
		if got := showPins(pinned(c, o)); got != tt.want {
			t.Errorf("tools %q, paths %q: got %q, want %q", tt.tools, tt.paths, got, tt.want)
		}
	}
}

// TestProtectLinesPins checks the pins of blocks with a protected line, for strategies that
// keep such lines and for others.
func TestProtectLinesPins(t *testing.T) {
	c := conv(
		model("first"),
		model("x", thinking("the valve\nsticks"), call("1", "Read", "path=valve.txt")), tool("1", "one\nvalve 7 is open\ntwo"),
		model("y"),
		model("last"),
	)
	tests := []struct{ re, pieces, blocks string }{
		{"valve", "P .PP P . P", "P .VV V . P"},
		{`^valve \d`, "P ... P . P", "P ... V . P"},
		{`open$`, "P ... P . P", "P ... V . P"},
		{`valve\nsticks`, "P ... . . P", "P ... . . P"},
		{"y", "P ... . P P", "P ... . V P"},
	}
	for _, tt := range tests {
		o := &Options{Protect: patterns(tt.re), UnpinLast: true}
		want := map[transcript.Pin]string{transcript.Present: tt.pieces, transcript.Verbatim: tt.blocks}
		for pin, want := range want {
			if got := showPins(c.WithPins(pinsOf(c, o, pin).of)); got != want {
				t.Errorf("%q as %v: got %q, want %q", tt.re, pin, got, want)
			}
		}
	}
}

// TestProtectLines checks that every strategy keeps protected lines, even if it cannot
// meet the target. Smart-compress must remove the lines around them.
func TestProtectLines(t *testing.T) {
	const line = "an entry about the valve of basin 7, as it was"
	c := conv(concat(
		msgs(user("start")),
		round("1", "Bash", "command=ls old", with(catalogue(300), line)),
		round("2", "Bash", "command=ls new", catalogue(300)),
		msgs(model(strings.Repeat("Nothing of note here. ", 40)+"\n"+line), user("go on"), model("done")),
	)...)
	o := Defaults()
	o.Protect, o.Target, o.KeepRounds = patterns("valve of basin"), Target{Tokens: 1}, 0
	for _, s := range append(All, &Strategy{Name: HybridName, Layers: Hybrid}) {
		r, err := Run(t.Context(), c, []*Strategy{s}, &o, Env{Tokens: quarters})
		if err != nil {
			t.Errorf("%s: %v", s.Name, err)
			continue
		}
		got := all(r.Conv)
		if n := strings.Count(got, line+"\n"); n != 2 {
			t.Errorf("%s: %d of 2 protected lines are left", s.Name, n)
		}
		if left := strings.Contains(got, "src/basin1/level_1.go"); s == &Smart && left {
			t.Errorf("%s: lines around a protected line are left, too:\n%s", s.Name, got)
		}
	}
}
