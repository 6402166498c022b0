package report

import "testing"

// TestRoot checks which folder is the root of some texts, and how a path in a text begins there.
func TestRoot(t *testing.T) {
	for _, tt := range []struct {
		texts []string
		root  Root
		short string // of the first text
	}{
		{nil, "", ""},
		{[]string{"/home/lena/a/x.go"}, "", "/home/lena/a/x.go"},
		{[]string{"src/a.go", "src/b.go"}, "", "src/a.go"},
		{[]string{"/etc/a", "/etc/b"}, "", "/etc/a"},
		{[]string{"/home/lena/a/x.go", "/home/lena/a/y.go"}, "/home/lena/a", "x.go"},
		{[]string{"tool call Read /home/lena/a/in/x.go", "Grep /home/lena/a/y.go"}, "/home/lena/a", "tool call Read in/x.go"},
		{[]string{"/home/lena/ab/x.go", "/home/lena/a/y.go", "/tmp/q/z"}, "/home/lena", "ab/x.go"},
		{[]string{"/tmp/q/z", "/home/lena/a/x.go", "/home/lena/a/y.go"}, "/home/lena/a", "/tmp/q/z"},
		{[]string{"/tmp/q/z", "/tmp/q/y", "/home/lena/a/x.go", "/home/lena/a/y.go"}, "", "/tmp/q/z"},
		{[]string{"Bash cd /home/lena && ls", "/home/lena/a/x.go", "/home/lena/a/y.go"}, "/home/lena/a", "Bash cd /home/lena && ls"},
		{[]string{"Grep /home/lena/a", "/home/lena/a/b/x.go", "/home/lena/a/b/y.go"}, "/home/lena/a", "Grep ."},
		{[]string{"Read /home/lena/a/x.go", "Edit /home/lena/a/x.go"}, "/home/lena/a", "Read x.go"},
	} {
		root := RootOf(tt.texts...)
		short := ""
		if len(tt.texts) > 0 {
			short = root.Short(tt.texts[0])
		}
		if root != tt.root || short != tt.short {
			t.Errorf("%q: root %q, %q, want %q, %q", tt.texts, root, short, tt.root, tt.short)
		}
	}
	if got := Root("/a/b").Short("ls /a/b /a/bc /a/b/c"); got != "ls . /a/bc c" {
		t.Errorf("got %q", got)
	}
	if a, b := Root("").Head("path"), Root("/a/b").Head("path"); a != "path" || b != "path in /a/b" {
		t.Errorf("heads %q and %q", a, b)
	}
}
