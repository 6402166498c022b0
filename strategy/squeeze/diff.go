package squeeze

import "strings"

// This file cuts diffs and commits. A changed line stands under its hunk, and the hunk under its file:
// readers need both.

// diffState is the position of the reader in a diff or a list of commits.
type diffState struct {
	commit, file, hunk int32
	body               bool // within a hunk
	subject            bool // the next line of the message is its subject
}

// cutDiff cuts unified diffs, the patches of coding agents (*** Update File:,
// SEARCH/REPLACE blocks), git show and git log.
func (t *Text) cutDiff() {
	s := diffState{commit: None, file: None, hunk: None}
	t.each(func(start, end int) {
		line := strings.TrimRight(t.Source[start:end], "\r\n")
		i := int32(len(t.Pieces))
		if n, _ := readMark(line); n > 0 && t.marked {
			t.add(start, end, none, None)
			return
		}
		cue, under := s.read(line, i)
		t.add(start, end, cue, under)
	})
}

// read takes a line, which becomes piece i, and returns its cue and the piece that it
// stands under.
func (s *diffState) read(line string, i int32) (cue float32, under int32) {
	switch {
	case commitLine(line):
		*s = diffState{commit: i, file: None, hunk: None, subject: true}
		return outline, None
	case hasAny(line, "diff --", "Index: ", "*** Add File: ", "*** Update File: ", "*** Delete File: "):
		s.file, s.hunk, s.body = i, None, strings.HasPrefix(line, "***")
		return outline, s.commit
	case !s.body && strings.HasPrefix(line, "--- ") && s.file == None:
		s.file, s.hunk = i, None
		return outline, s.commit
	case strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "<<<<<<<"), line == "------- SEARCH":
		s.hunk, s.body = i, true
		return context, s.file
	case s.body && strings.HasPrefix(line, "--- ") && s.hunk != None && !strings.HasPrefix(line, "--- -"):
		// Plain diffs have no line before the names of the next file.
		if s.file >= 0 && fileName(line[4:]) {
			s.file, s.hunk, s.body = i, None, false
			return outline, s.commit
		}
	}
	if s.body {
		under = s.hunk
		if under == None {
			under = s.file
		}
		if line != "" && (line[0] == '+' || line[0] == '-') && strings.TrimLeft(line[1:], " \t") != "" {
			return context, under
		}
		return none, under
	}
	return s.header(line)
}

// header returns the cue of a line outside hunks and the piece that it stands under. Such a line is
// in the head or message of a commit, in the head of a file, or in a statistic.
func (s *diffState) header(line string) (cue float32, under int32) {
	switch {
	case strings.HasPrefix(line, "    ") && s.subject && strings.TrimSpace(line) != "":
		s.subject = false
		return outline, s.commit
	case hasAny(line, "rename ", "new file", "deleted file", "Binary files", "copy "):
		return context, s.file
	case s.file != None && hasAny(line, "index ", "--- ", "+++ ", "similarity ", "old mode", "new mode"):
		return none, s.file
	case strings.Contains(line, " | ") && strings.HasPrefix(line, " "), tally(line):
		return context, s.commit
	case s.commit != None:
		return none, s.commit
	case abbreviated(line):
		return context / 2, None
	}
	return wordCue(line), None
}

// commitLine reports whether a line begins a commit in git log.
func commitLine(line string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "*|\\/ "), "commit ")
	return ok && len(rest) >= 7 && hexRun(rest) >= 7
}

// abbreviated reports whether a line begins with a short hash, as in git log
// --oneline.
func abbreviated(line string) bool {
	line = strings.TrimLeft(line, "*|\\/ ")
	n := hexRun(line)
	return n >= 7 && n <= 40 && len(line) > n && line[n] == ' '
}

func hexRun(s string) int {
	n := 0
	for n < len(s) && (digit(s[n]) || 'a' <= s[n] && s[n] <= 'f') {
		n++
	}
	return n
}

// fileName reports whether s, the rest of a line after "--- ", names a file.
func fileName(s string) bool {
	s, _, _ = strings.Cut(s, "\t")
	return s == "/dev/null" || strings.HasPrefix(s, "a/") || !strings.Contains(s, " ") && strings.ContainsAny(s, "/.")
}
