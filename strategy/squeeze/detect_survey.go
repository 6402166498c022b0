package squeeze

import (
	"strings"
	"unicode/utf8"
)

// votes are the numbers of sampled lines that have a form. One line may have several
// forms.
type votes struct {
	lines     int // not blank
	diff      int // headers of files and hunks
	changed   int // + and -
	commits   int
	search    int
	paths     int // a path alone, or an entry of ls -l or a tree
	numbered  int // with a gutter
	frames    int
	tests     int
	diags     int
	problems  int // of an editor's list
	stamps    int // with a time or a severity at the beginning
	declares  int
	codeEnds  int // end like statements
	sentences int
	markup    int // headings, items, fences
	fences    int
	words     int // at least four words, mostly letters
}

// surveyed is the number of lines that are sampled at the beginning, and again from
// the middle.
const surveyed = 150

// survey counts the forms of lines, without their line numbers.
func survey(source string) (v votes) {
	gutter := gutterOf(source)
	v.sample(source, gutter)
	if half := len(source) / 2; v.lines >= surveyed {
		if i := strings.IndexByte(source[half:], '\n'); i >= 0 {
			v.sample(source[half+i+1:], gutter)
		}
	}
	if gutter != "" {
		v.numbered = v.lines
	}
	return v
}

func (v *votes) sample(source, gutter string) {
	n := 0
	for line := range strings.Lines(source) {
		if n++; n > surveyed {
			return
		}
		if len(line) > 4*longest {
			line = line[:4*longest]
		}
		if gutter != "" {
			line = line[gutterLen(line, gutter):]
		}
		v.line(strings.TrimRight(line, " \t\r\n"))
	}
}

// line counts a line, passed without white space at its end.
func (v *votes) line(line string) {
	text := strings.TrimLeft(line, " \t")
	if text == "" {
		return
	}
	v.lines++
	indent := len(line) - len(text)
	count := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	count(&v.commits, commitLine(line) || abbreviated(line))
	count(&v.diff, hasAny(line, "diff --git ", "@@ ", "*** Begin Patch", "*** Update File: ", "*** Add File: ", "*** Delete File: ", "------- SEARCH", "<<<<<<< SEARCH", "+++ b/", "--- a/"))
	count(&v.changed, line[0] == '+' || line[0] == '-' && !strings.HasPrefix(line, "- "))
	count(&v.frames, frame(text, indent) != plainLine)
	what, _ := testLine(text, indent)
	count(&v.tests, what != plainLine)
	place, _ := diagnostic(text)
	count(&v.diags, place)
	_, ok := problem(text)
	count(&v.problems, ok)
	if path, _, ok := match(line); ok {
		count(&v.search, path != "" && strings.ContainsAny(path, "./\\") || path == "" && indent <= 2)
	}
	count(&v.paths, pathLine(text) || mode(text) || hasAny(text, "├", "└", "│"))
	count(&v.stamps, stamp(text))
	_, holds := declaration(text, indent)
	count(&v.declares, holds)
	switch last := text[len(text)-1]; last {
	case '{', '}', ';', ')', '(', ',', '[', ']', '>':
		v.codeEnds++
	default:
		count(&v.codeEnds, hasAny(text, "//", "/*", "* ", "#include", "import ", "from ", "return ", "\"\"\"", "@", "<"))
	}
	count(&v.markup, hasAny(text, "# ", "## ", "### ", "- ", "* ", "```", "> ", "**", "| ") || numbered(text) || numberLen(text) > 0 && strings.HasPrefix(text[numberLen(text):], ". "))
	count(&v.fences, hasAny(text, "```", "~~~"))
	wordy := wordy(text)
	count(&v.words, wordy)
	count(&v.sentences, wordy && (strings.HasSuffix(text, ".") || strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, ":") || strings.Contains(text, ". ")) ||
		strings.Contains(text, "。") || strings.Contains(text, "，"))
}

// mode reports whether a text begins with the permissions that ls -l prints.
func mode(text string) bool {
	if len(text) < 10 || strings.IndexByte("-dlbcps", text[0]) < 0 {
		return false
	}
	for i := 1; i < 10; i++ {
		if strings.IndexByte("rwxsStT-", text[i]) < 0 {
			return false
		}
	}
	return true
}

// stamp reports whether a text begins like a line of a log: with a time or a severity.
func stamp(text string) bool {
	if timed(text) {
		return true
	}
	text = strings.TrimLeft(text, "[(<")
	w, after := firstWord(text)
	switch w {
	case "INFO", "DEBUG", "WARN", "WARNING", "ERROR", "TRACE", "FATAL", "info", "debug", "warn", "error", "npm", "Downloading", "Compiling", "Collecting":
		return after != ""
	}
	return false
}

// timed reports whether a text begins with a time or a date, in brackets or not.
func timed(text string) bool {
	if text != "" && (text[0] == '[' || text[0] == '(') {
		text = text[1:]
	}
	if len(text) < 8 || !digit(text[0]) || !digit(text[1]) {
		return false
	}
	return text[2] == ':' && digit(text[3]) && text[5] == ':' ||
		digit(text[2]) && digit(text[3]) && (text[4] == '-' || text[4] == '/') && digit(text[5])
}

// wordy reports whether a text has at least four words and is mostly letters.
func wordy(text string) bool {
	letters, words := 0, 0
	ends := false // the byte before may end a word
	for i := range len(text) {
		c := text[i]
		if letter(c) || c >= utf8.RuneSelf {
			letters++
			ends = true
			continue
		}
		if c == ' ' && ends {
			words++
		}
		ends = c == ','
	}
	return words >= 3 && letters*10 >= len(text)*7
}

// strong returns the kind that the lines show beyond doubt, or Plain.
func (v *votes) strong() Kind {
	n := v.lines
	switch {
	case n == 0:
		return Plain
	case v.numbered > 0: // a file, which may quote a diff or a trace
		if v.sentences+v.markup > v.codeEnds+v.declares {
			return Prose
		}
		return Code
	case v.diff >= 2 && (v.changed*10 >= n || v.diff*4 >= n):
		return Diff
	case v.frames >= 3 && v.frames*3 >= n:
		return Trace
	case v.problems >= 2 && v.problems*2 >= n:
		return Compiler
	case v.search >= 2 && v.search*10 >= n*6 && v.stamps*2 < n && v.diags*3 < v.search && v.frames*3 < n:
		return Search
	case v.commits >= 3 && v.commits*10 >= n*6:
		return History
	}
	return Plain
}

// weak returns the kind that most lines look like, or Plain.
func (v *votes) weak() Kind {
	n := v.lines
	switch {
	case n == 0:
		return Plain
	case v.tests >= 2 && v.tests*8 >= n && v.tests > v.markup:
		return Test
	case v.diags >= 1 && v.diags*8 >= n:
		return Compiler
	case v.frames >= 2 && v.frames*5 >= n:
		return Trace
	case v.commits > 0 && v.commits*8 >= n && v.commits+v.changed > 1:
		return History
	case v.stamps*3 >= n:
		return Log
	case n >= 2 && v.paths*2 >= n:
		return Listing
	case (v.codeEnds+v.declares)*2 >= n && v.codeEnds > v.sentences && v.sentences*4 < n && n >= 3:
		return Code
	case (v.sentences+v.markup)*3 >= n || v.words*2 >= n && v.sentences > 0:
		return Prose
	}
	return Plain
}
