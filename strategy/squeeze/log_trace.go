package squeeze

import "strings"

// frame returns the role of a line that is a frame of a stack trace, in the own code
// of the program or in a library; plainLine for other lines.
func frame(text string, indent int) role {
	if indent == 0 && !strings.HasPrefix(text, "#") {
		return plainLine
	}
	switch {
	case strings.HasPrefix(text, "at ") && (strings.Contains(text, "(") || strings.Contains(text, ":") || strings.Contains(text, " in ")), // JavaScript, Java, C#
		strings.HasPrefix(text, "File \"") && strings.Contains(text, "line "),                                                  // Python
		strings.HasPrefix(text, "from ") && strings.Contains(text, ":in "),                                                     // Ruby
		strings.Contains(text, ".go:") && strings.Contains(text, " +0x"),                                                       // Go
		strings.HasPrefix(text, "#") && len(text) > 2 && digit(text[1]) && strings.ContainsAny(text, "(") && stackNumber(text), // PHP, gdb
		strings.HasPrefix(text, "... ") && strings.HasSuffix(text, " more"):
	default:
		return plainLine
	}
	for _, far := range [...]string{
		"node_modules/", "node:internal", "node:", "(internal/", "site-packages/", "dist-packages/", "/lib/python", "<frozen ",
		"/pkg/mod/", "/usr/lib/", "/usr/local/go/", "/rustc/", ".cargo/registry", "/gems/", "/vendor/",
		"at java.", "at javax.", "at sun.", "at jdk.", "at org.junit.", "at org.apache.", "at org.springframework.", "at System.", "at Microsoft.",
		"<anonymous>)", "native code", "... ",
	} {
		if strings.Contains(text, far) {
			return farLine
		}
	}
	return frameLine
}

// stackNumber reports whether a text begins with the number of a frame: "#12 ".
func stackNumber(text string) bool {
	i := 1
	for i < len(text) && digit(text[i]) {
		i++
	}
	return i < len(text) && text[i] == ' '
}

// calls reports whether a line names a function of a Go trace: pkg.F(0x1, …).
func calls(text string) bool {
	name, _, ok := strings.Cut(text, "(")
	return ok && strings.HasSuffix(text, ")") && strings.Contains(name, ".") && !strings.Contains(name, " ")
}

// raised reports whether a line after frames is the exception: its name, alone or with
// a colon and a message.
func raised(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case letter(c) || c == '.' || c == '_' || digit(c):
		default:
			return i > 0 && c == ':' && letter(text[0])
		}
	}
	return text != "" && letter(text[0])
}
