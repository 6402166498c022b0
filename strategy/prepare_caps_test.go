package strategy

import (
	"strings"
	"testing"

	"condense/transcript"
)

func caps(t *testing.T, list ...string) (res []Cap) {
	t.Helper()
	for _, s := range list {
		c, err := parseCap(s)
		if err != nil {
			t.Fatal(err)
		}
		res = append(res, c)
	}
	return res
}

func TestParseCap(t *testing.T) {
	for _, s := range []string{"", "Bash", "Bash=", "=500", "Bash=none", "Bash=50%", "Bash=0", "Bash=-5", "[=5"} {
		if c, err := parseCap(s); err == nil {
			t.Errorf("%q: %+v", s, c)
		}
	}
	c, err := parseCap("mcp__a=b*=2k") // names may contain any character
	if err != nil || c.Tokens != 2000 || !c.Tool.Name("mcp__a=b_c") {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestCaps checks that results are shortened to the cap of their tool, also if the
// conversation is within its target. The most valuable lines stay. Pinned results and
// those of other tools do not change.
func TestCaps(t *testing.T) {
	const valuable = "an entry about src/harbour/drift_factor.go as it was"
	const untouched = 0
	long := with(catalogue(200), valuable)
	c := conv(concat(
		msgs(user("why does the gauge drift?")),
		round("1", "Bash", "command=ls -R src", long),
		round("2", "Read", "path=list.txt", long),
		msgs(model(call("3", "Bash", "command=ls lib")), user(headed("3", "[ls] Result:", "\n"+catalogue(200)), "typed beside it")),
		round("4", "Bash", "command=cat build.log", strings.Repeat("all is well here and nothing is to be seen\n", 150)+"ERROR: the harbour is closed\n"),
		msgs(model("It must be drift_factor.go in src/harbour."), user("go on"), model("done")),
	)...)
	tests := []struct {
		name string
		opts Options
		caps []string
		want map[string]int // by call: the largest number of tokens of its result
	}{
		{"one tool", Options{}, []string{"Bash=300"}, map[string]int{"1": 300, "2": untouched, "3": 300, "4": 300}},
		{"the smallest holds", Options{}, []string{"*=500", "Read=100", "Re*=200"}, map[string]int{"1": 500, "2": 100, "3": 500, "4": 500}},
		{"a protected path", Options{ProtectPaths: globs(t, "list.txt")}, []string{"*=100"}, map[string]int{"1": 100, "2": untouched, "3": 100, "4": 100}},
		{"a marker at least", Options{}, []string{"*=1"}, map[string]int{"1": 25, "2": 25, "3": 25, "4": 25}},
		{"and a target", Options{Target: Target{Tokens: 800}}, []string{"*=300"}, map[string]int{"1": 300, "2": 300, "3": 300, "4": 300}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.opts.Caps = caps(t, tt.caps...); !tt.opts.Target.set() {
				tt.opts.Target = Target{Tokens: 100_000}
			}
			r, err := Run(t.Context(), c, Hybrid, &tt.opts, Env{Tokens: quarters})
			if err != nil {
				t.Fatal(err)
			}
			for ref, b := range c.Blocks() {
				now := r.Conv.Block(ref)
				limit, ok := tt.want[b.Call]
				if b.Kind != transcript.ToolResult || now == nil || !ok {
					continue
				}
				got := quarters(now)
				switch {
				case limit == untouched:
					if now.Text() != b.Text() {
						t.Errorf("the result of call %s was changed to %d tokens", b.Call, got)
					}
				case got > limit:
					t.Errorf("%s: %d tokens, want %d:\n%s", b.Call, got, limit, now.Text())
				case limit > 25 && got < limit/2 && tt.opts.Target.Tokens > 800:
					t.Errorf("%s: only %d of %d tokens are used", b.Call, got, limit)
				}
			}
			again, err := Run(t.Context(), r.Conv, Hybrid, &tt.opts, Env{Tokens: quarters})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := all(again.Conv), all(r.Conv); a != b {
				t.Errorf("a second run changes something:\n%s", a)
			}
		})
	}
	o := Options{Target: Target{Tokens: 100_000}, PrepareOptions: PrepareOptions{Caps: caps(t, "Bash=300")}}
	r, err := Run(t.Context(), c, []*Strategy{&Mask}, &o, Env{Tokens: quarters})
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Stages[0]; s.Name != "cap" || len(s.Edits) != 3 || !strings.HasPrefix(s.Edits[0].Why, "cap of 300 tokens: ") {
		t.Errorf("stage %s: %+v", s.Name, s.Edits)
	}
	for _, want := range []string{valuable, "ERROR: the harbour is closed", "[ls] Result:"} {
		if !strings.Contains(all(r.Conv), want) {
			t.Errorf("%q is gone", want)
		}
	}
}

// TestCapsRecords checks that a cap counts neither the records in a result nor the lines
// between them and the rest, and that it leaves a marker alone.
func TestCapsRecords(t *testing.T) {
	const record = "[condensed: Edit tide.go ok:\n +angle := c.Speed*hours - c.Phase\n]"
	const marker = "[go test ./... with a label that is over the cap: 56 lines omitted]"
	for _, tt := range []struct{ name, result, want string }{
		{"a record behind a marker", marker + "\n\n\n" + record, ""},
		{"a record in front of a marker", record + "\n\n" + marker, ""},
		{"lines within the cap", "FAIL tide 0.2 seconds\n[56 lines omitted]" + strings.Repeat("\n", 8) + record, ""},
		{"only a record", record, ""},
		{"lines over the cap", catalogue(9) + "\n\n" + record, "lines omitted]\n[condensed: "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := conv(concat(msgs(user("start")), round("1", "Bash", "command=go test ./...", tt.result), msgs(user("go on"), model("done")))...)
			o := Options{PrepareOptions: PrepareOptions{Caps: caps(t, "Bash=10")}}
			r, err := Run(t.Context(), c, []*Strategy{&Dedupe}, &o, Env{Tokens: quarters})
			if err != nil {
				t.Fatal(err)
			}
			got, was := all(r.Conv), all(c)
			if tt.want == "" && got != was || !strings.Contains(got, tt.want) || !strings.Contains(got, strings.TrimSpace(record)) {
				t.Errorf("the cap leaves\n%s", got)
			}
		})
	}
}

// TestCapsProtectedLines checks that protected lines stay although they exceed the cap, and
// that no other lines stay then.
func TestCapsProtectedLines(t *testing.T) {
	c := conv(concat(msgs(user("start")), round("1", "Bash", "command=ls", catalogue(200)), msgs(user("go on"), model("done")))...)
	o := Options{Target: Target{Tokens: 100_000}, Protect: patterns("basin1[0-9]/"), PrepareOptions: PrepareOptions{Caps: caps(t, "Bash=50")}}
	r, err := Run(t.Context(), c, []*Strategy{&Truncate}, &o, Env{Tokens: quarters})
	if err != nil {
		t.Fatal(err)
	}
	text := all(r.Conv)
	if n := strings.Count(text, "an entry about"); n != 10 || !strings.Contains(text, "basin13/") {
		t.Errorf("%d entries are left, want the 10 protected ones:\n%s", n, text)
	}
}

// TestCapsOrder checks that caps run after a dedupe at the start, and before other
// strategies.
func TestCapsOrder(t *testing.T) {
	o := Options{PrepareOptions: PrepareOptions{Caps: caps(t, "Bash=50")}}
	for _, tt := range []struct {
		stages []*Strategy
		want   string
	}{
		{Hybrid, "dedupe cap smart-compress"},
		{[]*Strategy{&Dedupe}, "dedupe cap"},
		{[]*Strategy{&Mask, &Dedupe}, "cap mask dedupe"},
	} {
		var names []string
		for _, s := range steps(conv(), tt.stages, &o) {
			names = append(names, s.name)
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}
