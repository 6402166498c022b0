package strategy

import (
	"strings"
	"testing"
)

func TestGlob(t *testing.T) {
	tests := []struct {
		glob, text string
		name, path bool
	}{
		{"Read", "Read", true, true},
		{"Read", "read", false, false},
		{"Read", "ReadFile", false, false},
		{"mcp__*", "mcp__files__read", true, true},
		{"?ead", "Read", true, true},
		{"[RB]*", "Bash", true, true},
		{"[!RB]*", "Bash", false, false},
		{"a.c", "abc", false, false},
		{"*.go", "main.go", true, true},
		{"*.go", "/home/a/src/main.go", false, true},
		{"src/*.go", "/home/a/src/main.go", false, true},
		{"src/*.go", "/home/a/lib_src/main.go", false, false},
		{"src/*.go", "src/deep/main.go", false, false},
		{"src/**", "/home/a/src/deep/main.go", false, true},
		{"src/**/*.go", "src/main.go", true, true},
		{"src/**/*.go", "src/a/b/main.go", true, true},
		{"/src/*.go", "/home/a/src/main.go", false, false},
		{"/home/**.go", "/home/a/src/main.go", true, true},
		{"src/*.go", `C:\a\src\main.go`, false, true},
		{"?", "é", true, true},
		{"[]]", "]", true, true},
		{"[!]a]", "b", true, true},
		{"[!]a]", "]", false, false},
		{"{Read,Write}", "Write", true, true},
		{"{Read,Write}", "Edit", false, false},
		{"{Read,Write}", "{Read,Write}", false, false},
		{`\{Read,Write\}`, "{Read,Write}", true, true},
		{"mcp__{files,web}__*", "mcp__web__get", true, true},
		{"*.{js,ts{,x}}", "/home/a/b.tsx", false, true},
		{"src/**/*.{go,mod}", "/home/a/src/b/go.mod", false, true},
		{"{/home,/root}/**", "/root/a", true, true},
		{"{/home,/root}/**", "/mnt/root/a", false, false},
		{"**", "a/b", true, true},
		{"**", "a", true, true},
		{"mcp__**", "mcp__files/read", true, true},
		{"mcp__**", "mcp__files", true, true},
		{"a**b", "a/x/b", true, true},
		{"a**b", "ab", true, true},
		{"src/**", "src", false, false},
		{"a/**/b", "a/b", true, true},
		{"*", "a/b", false, true},
	}
	for _, tt := range tests {
		g, err := parseGlob(tt.glob)
		if err != nil {
			t.Errorf("%q: %v", tt.glob, err)
			continue
		}
		if got := g.Name(tt.text); got != tt.name {
			t.Errorf("%q, name %q: got %v", tt.glob, tt.text, got)
		}
		if got := g.Path(tt.text); got != tt.path {
			t.Errorf("%q, path %q: got %v", tt.glob, tt.text, got)
		}
	}
	for _, bad := range []string{"", "[", "a[b", "[]", "[z-a]", "{a", "a}", "{a,{b}", `a\`, strings.Repeat("{a,b}", maxBraces+1)} {
		if _, err := parseGlob(bad); err == nil {
			t.Errorf("%q was parsed", bad)
		}
	}
	if (Glob{}).Name("") || (Glob{}).Path("") {
		t.Error("the zero Glob matches")
	}
}
