package squeeze

import (
	"strings"
	"testing"
)

const snapshot = `- generic [ref=e2]:
  - banner [ref=e3]:
    - generic [ref=e4]:
      - link "Harbour office" [ref=e5] [cursor=pointer]:
        - /url: /
      - img [ref=e6]
  - main [ref=e8]:
    - alert [ref=e9]: The berth is taken
    - generic [ref=e10]:
      - generic [ref=e11]:
        - paragraph [ref=e12]: Berths are given out in the order of arrival.
        - textbox "Name of the boat" [active] [ref=e13]
        - button "Reserve" [ref=e14] [cursor=pointer]
`

func TestCutSnapshot(t *testing.T) {
	text := &Text{Source: snapshot}
	if !cutSnapshot(text) {
		t.Fatal("no snapshot")
	}
	checkMasks(t, text, 1, func(string) {})
	want := `[1 line omitted]
  - banner [ref=e3]:
[1 line omitted]
      - link "Harbour office" [ref=e5] [cursor=pointer]:
[2 lines omitted]
  - main [ref=e8]:
    - alert [ref=e9]: The berth is taken
[3 lines omitted]
        - textbox "Name of the boat" [active] [ref=e13]
        - button "Reserve" [ref=e14] [cursor=pointer]
`
	if got := rendered(text, outline); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestSnapshotForms(t *testing.T) {
	for _, source := range []string{
		"uid=1_0 RootWebArea \"Berths\" url=\"https://harbour.example/\"\n" + strings.Repeat("  uid=1_1 link \"Berth\"\n    uid=1_2 StaticText \"Berth\"\n", 4),
		strings.Repeat("[12] button \"Go\"\n\t[13] textbox \"Where\"\n", 4),
		"### Page state\n- Page URL: https://harbour.example/\n- Page Snapshot:\n```yaml\n" + snapshot + "```\n",
	} {
		if text := (&Text{Source: source}); !cutSnapshot(text) {
			t.Errorf("no snapshot: %q", source)
		}
	}
	for _, source := range []string{
		"", "- link the docs\n- button up\n- text me\n- form a plan\n- list things\n",
		"button \"a\"\nfoo\nbar\nbaz\nqux\nquux\n",
		"image: alpine\nform: x\nstatus: up\nlist: []\nnote: y\n",
	} {
		text := &Text{Source: source}
		if cutSnapshot(text) || len(text.Pieces) > 0 {
			t.Errorf("taken for a snapshot: %q", source)
		}
	}
}

func FuzzCutSnapshot(f *testing.F) {
	f.Add(snapshot, uint64(1))
	f.Fuzz(func(t *testing.T, source string, seed uint64) {
		if text := (&Text{Source: source}); cutSnapshot(text) {
			checkMasks(t, text, seed, func(string) {})
		}
	})
}
