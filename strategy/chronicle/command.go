package chronicle

import (
	"strings"

	"condense/transcript/lazyregexp"
)

// This file describes shell commands in records.

// commandLine returns the first line of a shell command, without a leading change of folder
// and without the end that only limits its output. Behind a line that is cut, it names what the other lines
// are about: see [tailOf].
func commandLine(command string) string {
	command = strings.TrimSpace(command)
	for strings.HasPrefix(command, "cd ") {
		_, rest, ok := strings.Cut(command, "&&")
		if !ok {
			break
		}
		command = strings.TrimSpace(rest)
	}
	for strings.ContainsAny(command, "|;&>") { // no limit is without one
		at := limits.FindStringIndex(command)
		if at == nil || at[0] == 0 || printsFile.MatchString(command[:at[0]]) && strings.HasPrefix(strings.TrimSpace(command[at[0]:]), "|") {
			break
		}
		command = command[:at[0]]
	}
	line := clean(opened(command), mostCommand)
	if strings.HasSuffix(line, " …") {
		line += tailOf(command, line)
	}
	return line
}

// opened returns a command whose first line is joined to the next ones while it ends with an opening sign or
// a sign that continues it: such a line alone says too little.
func opened(command string) string {
	for at := 0; at < mostCommand; {
		n := strings.IndexByte(command[at:], '\n')
		if n <= 0 || strings.IndexByte(`([{"'\|&`, command[at+n-1]) < 0 {
			break
		}
		at += n
		command = strings.TrimRight(command[:at], ` \`) + " " + strings.TrimLeft(command[at:], " \t\r\n")
	}
	return command
}

// tailOf returns what a cut command should end with: the file to which it writes, the command behind its
// here-document, or the file that its script names. It is "" if there is none that line does not hold.
func tailOf(command, line string) string {
	if file := redirectsTo(command); file != "" && len(file) <= mostRedirected && !strings.Contains(line, file) {
		return " > " + clean(file, mostRedirected)
	}
	if next := clean(behindHere(command), mostRedirected); next != "" && !strings.Contains(line, next) {
		return " " + next
	}
	first, script, _ := strings.Cut(command, "\n")
	if !runsScript.MatchString(first) {
		return ""
	}
	for _, named := range [...]*lazyregexp.Regexp{writtenFile, namedFile} {
		if m := named.FindStringSubmatch(script); m != nil && len(m[1]) <= mostRedirected && !strings.Contains(line, m[1]) {
			return " " + clean(m[1], mostRedirected)
		}
	}
	return ""
}

// behindHere returns the command behind the first here-document of a command, or "".
func behindHere(command string) string {
	m := here.FindStringSubmatchIndex(command)
	if m == nil {
		return ""
	}
	end := "\n" + command[m[2]:m[3]] + "\n"
	at := strings.Index(command[m[1]:], end)
	if at < 0 {
		return ""
	}
	return strings.TrimSpace(command[m[1]+at+len(end):])
}

var (
	printsFile  = lazyregexp.New(`(?:^|[;&]\s*)(?:cat|nl|bat|type)\s[^|;&]*$`)                     // a command whose output is a file
	here        = lazyregexp.New(`<<-?\s*["']?(\w+)["']?`)                                         // the start of a here-document
	runsScript  = lazyregexp.New(`\b(?:python3?|node|ruby|perl|php|bun|deno)\b.*(?:<<|\s-[ce]\b)`) // a program that runs the other lines
	writtenFile = lazyregexp.New(`open\(\s*["']([^"'\n]+)["']\s*,\s*["'][wa]`)                     // a file that a script writes
	namedFile   = lazyregexp.New(`["']([\w./~-]*\w\.[A-Za-z]\w{0,5})["']`)                         // a file that a script names
)

// limits matches the end of a command that only limits or redirects its output.
var limits = lazyregexp.New(`(?:\s*(?:2>&1|2>/dev/null|\|\s*cat|\|\s*(?:head|tail)(?:\s+-[nc]?\s*\d+)*|\|\s*sed -n '[\d,]+p'|(?:;|&&)\s*echo ["']?[-=\w ]*["']?))\s*$`)

// redirectsTo returns the first file to which a shell command redirects its output, or "". Devices and
// copies of a descriptor, as in 2>&1, are no files. Text of a here-document is not a part of the command.
func redirectsTo(command string) string {
	quote := byte(0)
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '\\':
			i++
		case strings.HasPrefix(command[i:], "<<"): // the lines below it are no command
			line, _, _ := strings.Cut(command[i:], "\n")
			command = command[:i+len(line)]
		case c == '>' && (i == 0 || strings.IndexByte("-=<2&", command[i-1]) < 0):
			target := strings.TrimLeft(command[i+1:], "> ")
			target, _, _ = strings.Cut(target, " ")
			if target = strings.TrimRight(target, ";\n"); target != "" && target[0] != '&' && target[0] != '(' && !strings.HasPrefix(target, "/dev/") {
				return target
			}
			i += len(command[i:]) - len(strings.TrimLeft(command[i:], ">")) - 1
		}
	}
	return ""
}
