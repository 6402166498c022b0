package squeeze

import "testing"

// TestCutDiff checks what stands under what in diffs and lists of commits: a line under its hunk, a hunk under its
// file, a file under its commit.
func TestCutDiff(t *testing.T) {
	cut := func(source string) *Text {
		text := Cut(source, Hint{Tool: "Bash", Command: "git diff"})
		if text.Kind != Diff {
			t.Errorf("%q is %s", source, text.Kind)
		}
		return text
	}
	wantPieces(t, cut("diff --git a/x b/x\nindex 1..2\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n+\n c\n"),
		"0.5 . . |diff --git a/x b/x", "0 0 . |index 1..2", "0 0 . |--- a/x", "0 0 . |+++ b/x", "0.25 0 . |@@ -1 +1 @@", "0.25 4 . |-a", "0.25 4 . |+b", "0 4 . |+", "0 4 . | c")
	wantPieces(t, cut("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n--- a/y\n+++ b/y\n@@ -1 +1 @@\n-b\n"),
		"0.5 . . |--- a/x", "0 0 . |+++ b/x", "0.25 0 . |@@ -1 +1 @@", "0.25 2 . |-a", "0.5 . . |--- a/y", "0 4 . |+++ b/y", "0.25 4 . |@@ -1 +1 @@", "0.25 6 . |-b")
	wantPieces(t, cut("--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a comment that goes\n--- -\n"),
		"0.5 . . |--- a/x", "0 0 . |+++ b/x", "0.25 0 . |@@ -1 +1 @@", "0.25 2 . |--- a comment that goes", "0.25 2 . |--- -")
	wantPieces(t, cut("commit 0123456789\nAuthor: A\n\n    Subject\n\n    more\n\ndiff --git a/x b/x\nnew file mode 1\n@@ -1 +1 @@\n+b\n"),
		"0.5 . . |commit 0123456789", "0 0 . |Author: A", "0.5 0 . | Subject", "0 0 . | more", "0.5 0 . |diff --git a/x b/x", "0.25 4 . |new file mode 1", "0.25 4 . |@@ -1 +1 @@", "0.25 6 . |+b")
	wantPieces(t, cut("*** Begin Patch\n*** Update File: x\n@@\n-a\n+b\n*** Add File: y\n+c\n*** End Patch\n"),
		"0 . . |*** Begin Patch", "0.5 . . |*** Update File: x", "0.25 1 . |@@", "0.25 2 . |-a", "0.25 2 . |+b", "0.5 . . |*** Add File: y", "0.25 5 . |+c", "0 5 . |*** End Patch")
	wantPieces(t, cut(" x | 2 +-\n 1 file changed, 1 insertion(+)\ndiff --git a/x b/x\nrename from x\nsimilarity index 9%\n@@ -1 +1 @@\n+b\n"),
		"0.25 . . | x | 2 +-", "0.25 . . | 1 file changed, 1 insertion(+)", "0.5 . . |diff --git a/x b/x", "0.25 2 . |rename from x", "0 2 . |similarity index 9%", "0.25 2 . |@@ -1 +1 @@", "0.25 5 . |+b")
}

// TestFileName checks which names of files begin a file in a diff without other headers.
func TestFileName(t *testing.T) {
	for s, want := range map[string]bool{
		"a/x": true, "a/x y": true, "/dev/null": true, "x.go": true, "dir/x": true, "x.go\t2026-01-02": true, "x": false, "two words.": false, "": false, "- x": false,
	} {
		if got := fileName(s); got != want {
			t.Errorf("%q names a file: %v", s, got)
		}
	}
	for line, want := range map[string][2]bool{ // a commit in git log, and in git log --oneline
		"commit 0123456": {true, false}, "* commit 0123456789": {true, false}, "| | commit 0123456": {true, false}, "commit 012345": {false, false}, "commit message": {false, false},
		"0123456 Subject": {false, true}, "* 0123456 Subject": {false, true}, "0123456": {false, false}, "012345 Subject": {false, false}, "0123456x Subject": {false, false},
		"01234567890123456789012345678901234567890 x": {false, false}, "0123456789012345678901234567890123456789 x": {false, true}, "": {false, false},
	} {
		if got := [2]bool{commitLine(line), abbreviated(line)}; got != want {
			t.Errorf("%q begins a commit: %v, want %v", line, got, want)
		}
	}
}
