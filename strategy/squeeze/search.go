package squeeze

import "strings"

// cutSearch cuts the results of a search: path:12:text, or a path with lines 12:text
// below it. The first match in a file, and matches that declare something, have higher
// cues.
func (t *Text) cutSearch() {
	last, header := "", int32(None)
	t.each(func(start, end int) {
		line := strings.TrimRight(t.Source[start:end], "\r\n")
		marks := len(t.marks())
		path, text, ok := match(line)
		switch {
		case ok && line != path+":": // otherwise the matches in a file follow
			cue, _ := declaration(strings.TrimSpace(text), 0)
			under := header
			if path != "" {
				under = None
				if path != last {
					cue = max(cue, context)
				}
				last = path
			}
			t.add(start, end, cue, under)
		case pathLine(line):
			header = t.add(start, end, context, None)
			if len(t.marks()) > marks {
				header = None
			}
		default:
			t.add(start, end, wordCue(line), None)
		}
	})
}

// match splits a line of search results into its path ("" when the line has only a
// number) and the matching text. ok is false for other lines.
func match(line string) (path, text string, ok bool) {
	trimmed := strings.TrimLeft(line, " ")
	if n := numberLen(trimmed); n > 0 && n < len(trimmed) && (trimmed[n] == ':' || trimmed[n] == '-') {
		return "", trimmed[n+1:], true
	}
	if hasAny(trimmed, "Line ", "line ") {
		if n := numberLen(trimmed[5:]); n > 0 && strings.HasPrefix(trimmed[5+n:], ":") {
			return "", trimmed[6+n:], true
		}
	}
	for i := 1; i < len(line) && i < longest; i++ {
		switch c := line[i]; {
		case c == ':' && i == 1 && letter(line[0]): // a drive
		case c == ':' || c == '-' || c == '(':
			if n := numberLen(line[i+1:]); n > 0 && i+1+n < len(line) && (line[i+1+n] == c || c == '(') {
				return line[:i], line[i+2+n:], true
			}
			if c == ':' {
				return line[:i], line[i+1:], pathLike(line[:i])
			}
		case c == ' ' || c == '\t':
			if !strings.ContainsAny(line[:i], "/\\") {
				return "", "", false
			}
		}
	}
	return "", "", false
}

func numberLen(s string) int {
	n := 0
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}

// pathLine reports whether a line is a path alone, with or without a colon or a list
// sign.
func pathLine(line string) bool {
	line = strings.TrimSuffix(strings.TrimSpace(line), ":")
	line = strings.TrimPrefix(strings.TrimPrefix(line, "- "), "./")
	return pathLike(line)
}

// pathLike reports whether s looks like the path of a file: no spaces, and a slash
// or an extension.
func pathLike(s string) bool {
	if len(s) > longest {
		return false
	}
	slashed, dot := false, -1
	for i := range len(s) {
		switch s[i] {
		case ' ', '\t', '"', '\'', '<', '>', '(', ')', '{', '}', ';', ',', '=', '|':
			return false
		case '/', '\\':
			if strings.HasSuffix(s[:i+1], "://") {
				return false
			}
			slashed = true
		case '.':
			dot = i
		}
	}
	return slashed || dot >= 0 && dot+1 < len(s) && len(s)-dot <= 8 && letter(s[dot+1])
}

// cutListing cuts lists of file names. Files of one directory with the same extension
// repeat each other; entries drawn below a directory stand under it.
func (t *Text) cutListing() {
	shapes := shapes{t: t, first: map[uint64]int32{}}
	header := int32(None)
	var open []declared
	t.each(func(start, end int) {
		line := strings.TrimRight(t.Source[start:end], "\r\n")
		name, depth := entry(line)
		if start > 1 && t.Source[start-2:start] == "\n\n" {
			header = None
		}
		for len(open) > 0 && open[len(open)-1].indent >= depth {
			open = open[:len(open)-1]
		}
		under := header
		if depth > 0 || strings.ContainsAny(name, "/\\") {
			under = None
		}
		if len(open) > 0 {
			under = open[len(open)-1].piece
		}
		marks := len(t.marks())
		if depth == 0 && (strings.HasSuffix(line, ":") || hasAny(line, "# ", "## ")) { // ls -R, environment notes
			header = t.add(start, end, context, None)
			if len(t.marks()) > marks {
				header = None
			}
			return
		}
		i := t.add(start, end, wordCue(line), under)
		if len(t.marks()) > marks {
			return
		}
		if strings.HasSuffix(name, "/") || depth > 0 && !strings.Contains(name, ".") {
			open = append(open, declared{i, depth})
			return
		}
		if !strings.Contains(name, " ") {
			shapes.note(i, sibling(name, uint64(under+1)))
		}
	})
}

// entry returns the name at the end of a line of a listing, and its depth in a tree.
func entry(line string) (name string, depth int) {
	name = line
	for name != "" && !letter(name[0]) && name[0] != '.' && name[0] != '/' {
		cut := 0
		for _, sign := range [...]string{" ", "\t", "│", "├", "└", "─", "|--", "|", "`--", "+--", "\u00a0", "- "} {
			if strings.HasPrefix(name, sign) {
				cut = len(sign)
				depth += max(1, len([]rune(sign)))
				break
			}
		}
		if cut == 0 {
			break
		}
		name = name[cut:]
	}
	if depth == 0 {
		if i := strings.LastIndexByte(name, ' '); i >= 0 { // ls -l
			name = name[i+1:]
		}
	}
	return name, depth
}

// sibling returns a hash of what files of one directory and one type have in common.
func sibling(name string, key uint64) uint64 {
	key ^= HashStart
	slash := max(strings.LastIndexByte(name, '/'), strings.LastIndexByte(name, '\\'))
	dot := max(strings.LastIndexByte(name, '.'), slash+1)
	for _, part := range [...]string{name[:slash+1], name[dot:]} {
		for i := range len(part) {
			key = HashByte(key, part[i])
		}
	}
	return key
}
