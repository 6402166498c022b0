package fact

import "strings"

// Kind classifies a fact by its subject.
type Kind uint8

// The kinds. [Each] finds the first five; see [Commands] and [Constraints] for the
// others, which have more than one word.
const (
	Identifier Kind = iota // a name from a program, a hash, an option: anything that is none of the others
	Path
	URL
	Error      // the name or code of one: TypeError, ENOENT, TS2345
	Number     // with or without a unit; versions, dates, addresses in digits
	Command    // the first two words of a shell command: go test
	Constraint // a sentence that demands something
)

// Kinds lists all kinds, the most telling first.
var Kinds = []Kind{Path, Error, Command, Identifier, Number, URL, Constraint}

// String returns the name of the kind in the plural, for people: "paths".
func (k Kind) String() string {
	switch k {
	case Path:
		return "paths"
	case URL:
		return "URLs"
	case Error:
		return "errors"
	case Number:
		return "numbers"
	case Command:
		return "commands"
	case Constraint:
		return "constraints"
	}
	return "identifiers"
}

// KindOf returns the kind of a fact that [Each] found: key is its key, and at the byte
// offset of its word in text.
func KindOf(text string, at int, key string) Kind {
	head := text[at:min(len(text), at+maxScheme)]
	switch {
	case strings.Contains(head, "://"):
		return URL
	case strings.ContainsAny(key, `/\`), text[at] == '/', text[at] == '~', hasKnownExtension(key):
		return Path
	case isErrorName(key):
		return Error
	case isNumber(key):
		return Number
	}
	return Identifier
}

// maxScheme is the number of bytes of a word in which "://" is searched for.
const maxScheme = 12

// extensions distinguish main.go, a file, from os.Exit, a name.
var extensions = map[string]bool{
	"c": true, "cc": true, "cfg": true, "conf": true, "cpp": true, "cs": true, "css": true, "csv": true, "env": true,
	"go": true, "gradle": true, "h": true, "hpp": true, "htm": true, "html": true, "ini": true, "ipynb": true,
	"java": true, "jpg": true, "js": true, "json": true, "jsonl": true, "jsx": true, "kt": true, "lock": true,
	"log": true, "md": true, "mdx": true, "mjs": true, "pdf": true, "php": true, "png": true, "proto": true,
	"py": true, "rb": true, "rs": true, "scss": true, "sh": true, "sql": true, "svg": true, "swift": true,
	"toml": true, "ts": true, "tsx": true, "txt": true, "xml": true, "yaml": true, "yml": true, "zip": true,
}

func hasKnownExtension(key string) bool {
	i := strings.LastIndexByte(key, '.')
	return i > 0 && extensions[key[i+1:]]
}

// isNumber reports whether a key is a number: digits with separators between them,
// after an optional # or v and before an optional unit; or hexadecimal digits after
// 0x.
func isNumber(key string) bool {
	if strings.HasPrefix(key, "0x") {
		return true
	}
	i, n := 0, len(key)
	for i < n && strings.IndexByte("#+-v", key[i]) >= 0 {
		i++
	}
	if i == n || class[key[i]] != digit {
		return false
	}
	for n > len(key)-maxUnit && class[key[n-1]]&(lower|upper) != 0 {
		n--
	}
	for ; i < n; i++ {
		if class[key[i]] != digit && strings.IndexByte(".,:-_+#", key[i]) < 0 {
			return false
		}
	}
	return true
}

// maxUnit is the longest unit of a number, in letters: 250ms.
const maxUnit = 3
