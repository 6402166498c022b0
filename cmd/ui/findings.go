package ui

import (
	"io"
	"strconv"
	"strings"
)

// WriteFindings writes a line for each finding, as compilers do: "a.json:12: message 3: rule:
// what is wrong (error)". With o.Verbose, the error of the provider and the fix follow.
func WriteFindings(w io.Writer, f *Findings, o TextOptions) error {
	p := newPage(w, o)
	for _, file := range f.Files {
		several := false
		for _, x := range file.Findings {
			several = several || x.Conversation > 1
		}
		for _, x := range file.Findings {
			p.finding(file.Input, x, several)
		}
	}
	return p.Flush()
}

// finding writes one finding whole, however wide the screen is.
func (p *page) finding(input string, x Finding, several bool) {
	t := bad
	if x.Severity != "error" {
		t = warn
	}
	p.WriteString(findingPlace(input, x, several) + ": ")
	p.WriteString(p.paint(t, EscapeLine(x.Rule)) + ": " + EscapeLine(x.Text) + " (" + EscapeLine(x.Severity) + ")\n")
	if p.Verbose > 0 && x.Provider != "" {
		p.WriteString(p.paint(faint, "    the API says: "+EscapeLine(x.Provider)) + "\n")
	}
	if p.Verbose > 0 && x.Fix != "" {
		p.WriteString(p.paint(faint, "    fix: "+EscapeLine(x.Fix)) + "\n")
	}
}

// findingPlace is "a.json:12: conversation 2, message 3".
func findingPlace(input string, x Finding, several bool) string {
	if input == "-" {
		input = "standard input"
	}
	place := EscapeLine(input)
	if x.Line > 0 {
		place += ":" + strconv.Itoa(x.Line)
	}
	var within []string
	if several {
		within = append(within, "conversation "+strconv.Itoa(x.Conversation))
	}
	if x.Message > 0 {
		within = append(within, "message "+strconv.Itoa(x.Message))
	}
	if within == nil {
		return place
	}
	return place + ": " + strings.Join(within, ", ")
}

// WriteFindingsSummary writes one line that adds up.
func WriteFindingsSummary(w io.Writer, f *Findings, o TextOptions) error {
	p := newPage(w, o)
	text, t := "no findings", good
	if f.Errors+f.Warnings > 0 {
		text, t = plural(f.Errors, "error")+", "+plural(f.Warnings, "warning"), warn
	}
	if f.Errors > 0 {
		t = bad
	}
	files := plural(len(f.Files), "file")
	unread := 0
	for _, file := range f.Files {
		if file.Error != "" {
			unread++
		}
	}
	switch {
	case unread == 0:
	case unread < len(f.Files):
		files += ", " + number(unread) + " of them not read"
	default:
		text, t = "not read, so nothing was checked", bad
	}
	with := ""
	if len(f.Files) == 1 && f.Files[0].Error == "" {
		with = " " + p.paint(faint, "["+EscapeLine(f.Files[0].Format)+", by the rules of "+EscapeLine(f.Files[0].API)+"]")
	}
	p.line(plain, p.paint(strong, files+":")+" "+p.paint(t, text)+with)
	return p.Flush()
}
