package strategy

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

func TestMarkedIn(t *testing.T) {
	tests := []struct {
		text  string
		want  []string
		fault string
	}{
		{"nothing", nil, ""},
		{"a <keep>b</keep> c <drop>d\ne</drop>", []string{"<keep>b</keep>", "<drop>d\ne</drop>"}, ""},
		{"<drop></drop>", []string{"<drop></drop>"}, ""},
		{"<keep>a", nil, "<keep> without </keep>"},
		{"a</drop>", nil, "</drop> without <drop>"},
		{"<keep>a</keep></keep>", nil, "</keep> without <keep>"},
		{"<keep>a</drop>", nil, "<keep> without </keep> in front of the next </drop>"},
		{"<keep>a<drop>b</drop>c</keep>", nil, "<keep> without </keep> in front of the next <drop>"},
		{"<Keep>a <keep >b <keeper>c", nil, ""},
	}
	for _, tt := range tests {
		list, fault := markedIn(tt.text)
		var got []string
		for _, m := range list {
			got = append(got, tt.text[m.from:m.to])
			if m.drop != strings.HasPrefix(tt.text[m.from:], "<drop>") {
				t.Errorf("%q: %+v", tt.text, m)
			}
		}
		if !slices.Equal(got, tt.want) || fault != tt.fault {
			t.Errorf("%q: %q, %q", tt.text, got, fault)
		}
	}
}

// TestDropMarkedShadows checks that typed text which shows that a branch was abandoned is
// not removed whole.
func TestDropMarkedShadows(t *testing.T) {
	long := strings.Repeat("a line that nobody needs again\n", 6)
	c := conv(user("go"), user("<drop>"+long+"</drop>", "<drop>"+long+"</drop> on"), model("done"))
	c.Messages[1].Shadows = true
	res, err := Run(t.Context(), c, nil, &Options{PrepareOptions: PrepareOptions{Tags: TagsTyped}}, Env{Tokens: words})
	if err != nil {
		t.Fatal(err)
	}
	if got := res.Conv.Messages[1]; got.Blocks[0].Text() != c.Messages[1].Blocks[0].Text() || got.Blocks[1].Text() != "[6 lines omitted] on" {
		t.Errorf("got %s", show(res.Conv))
	}
	if len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "would be visible again") {
		t.Errorf("notes %q", res.Notes)
	}
}

func TestDropMarked(t *testing.T) {
	long := strings.Repeat("a line that nobody needs again\n", 6)
	c := conv(
		user("before <drop>"+long+"</drop> after"),
		model("<drop>"+long+"</drop>!", call("1", "Read", "path=<drop>"+long+"</drop>")),
		user(headed("1", "[read] Result:", "<drop>"+long+"</drop>end"), "<drop>x</drop>y"),
		user("<drop>"+long+"</drop>"),
		user("<drop>"+long+"</drop> and <drop>"),
		model("done"),
	)
	tests := []struct {
		name string
		opts Options
		want []string // edits
		note string
	}{
		{"off", Options{}, nil, ""},
		{"typed", Options{PrepareOptions: PrepareOptions{Tags: TagsTyped}}, []string{"0.0 before [6 lines omitted] after", "2.1 y", "3.0 [6 lines omitted]"},
			"message 5: <drop> without </drop>: its tags do nothing"},
		{"all", Options{PrepareOptions: PrepareOptions{Tags: TagsAll}}, []string{"0.0 before [6 lines omitted] after", "1.0 [6 lines omitted]!", "2.0 [6 lines omitted]end", "2.1 y", "3.0 [6 lines omitted]"},
			"message 5: <drop> without </drop>: its tags do nothing"},
		{"pinned", Options{KeepFirst: 1, Messages: Range{1, 2}, PrepareOptions: PrepareOptions{Tags: TagsTyped}}, nil,
			"message 1: the text between its <drop> tags is pinned, and stays"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opts.Target = Target{Tokens: 100_000}
			r, err := Run(t.Context(), c, Hybrid, &tt.opts, Env{Tokens: quarters})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, s := range r.Stages {
				got = append(got, showEdits(s.Edits)...)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if tt.note == "" && r.Notes != nil || tt.note != "" && !slices.Contains(r.Notes, tt.note) {
				t.Errorf("notes %q, want %q", r.Notes, tt.note)
			}
			again, err := Run(t.Context(), r.Conv, Hybrid, &tt.opts, Env{Tokens: quarters})
			if err != nil {
				t.Fatal(err)
			}
			if all(again.Conv) != all(r.Conv) {
				t.Errorf("a second run changes something:\n%s", all(again.Conv))
			}
		})
	}
}

// TestKeepMarked checks that every strategy keeps text between keep tags: in unpinned typed
// text with TagsTyped, and in all texts with TagsAll.
func TestKeepMarked(t *testing.T) {
	const passage = "<keep>the valve of basin 7\nstays shut</keep>"
	c := conv(concat(
		msgs(user("start")),
		round("1", "Bash", "command=ls old", with(catalogue(100), passage)),
		round("2", "Bash", "command=ls new", catalogue(100)),
		msgs(user(with(catalogue(100), passage)), model(strings.Repeat("Nothing of note here. ", 40)+"\n"+passage+"\nWell."), user("go on"), model("done")),
	)...)
	for tags, want := range map[Tags]int{TagsAll: 3, TagsTyped: 1} {
		o := Defaults()
		o.Tags, o.UnpinUser, o.Target, o.KeepRounds = tags, true, Target{Tokens: 1}, 0
		for _, s := range append(All, &Strategy{Name: HybridName, Layers: Hybrid}) {
			r, err := Run(t.Context(), c, []*Strategy{s}, &o, Env{Tokens: quarters})
			if err != nil {
				t.Errorf("%s: %v", s.Name, err)
				continue
			}
			got := all(r.Conv)
			if n := strings.Count(got, passage); n < want {
				t.Errorf("%s, %s: %d of %d passages are left", s.Name, tags, n, want)
			}
			if s == &Smart && strings.Count(got, "level_1.go") > 0 {
				t.Errorf("%s: lines around a passage are left, too:\n%s", s.Name, got)
			}
		}
	}
}

// TestTagNotesAreFew checks that notes about many texts end with a number.
func TestTagNotesAreFew(t *testing.T) {
	c := conv(user("<drop>1"), user("<drop>2"), user("<drop>3"), user("<drop>4"), user("<drop>5"), user("<drop>6"), user("<drop>7"))
	notes := tagNotes(c, &Options{PrepareOptions: PrepareOptions{Tags: TagsTyped}})
	if len(notes) != 6 || notes[5] != "tags in 2 more texts do nothing" {
		t.Errorf("%q", notes)
	}
}

func FuzzMarkedIn(f *testing.F) {
	f.Add("a<keep>b</keep><drop>c</drop></keep>")
	f.Add("<drop>\n\n</drop>")
	f.Fuzz(func(t *testing.T, text string) {
		list, fault := markedIn(text)
		end := 0
		for _, m := range list {
			if m.from < end || m.to > len(text) || fault != "" {
				t.Fatalf("%+v after %d of %d, fault %q", m, end, len(text), fault)
			}
			end = m.to
		}
		p := transcript.Part{Text: text}
		if short, dropped := withoutMarked(&p); dropped && strings.Contains(short, "<drop>") {
			t.Fatalf("%q became %q", text, short)
		} else if dropped && strings.TrimSpace(short) == "" {
			t.Fatalf("%q became a blank text", text)
		}
	})
}
