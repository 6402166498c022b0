package ui

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// defaultWidth is the width of a terminal that does not report its size.
const defaultWidth = 80

// A ColorMode is the value of --color. It implements the Value interface of pflag.
type ColorMode string

// The modes of --color. The zero value means ColorAuto.
const (
	ColorAuto   ColorMode = "auto"   // on a terminal, unless the environment decides otherwise
	ColorAlways ColorMode = "always" // everywhere
	ColorNever  ColorMode = "never"  // nowhere
)

// Set parses a mode.
func (m *ColorMode) Set(s string) error {
	switch mode := ColorMode(s); mode {
	case ColorAuto, ColorAlways, ColorNever:
		*m = mode
		return nil
	}
	return fmt.Errorf("%q is none of auto, always, never", s)
}

// String returns the mode as the user writes it.
func (m *ColorMode) String() string { return string(*m) }

// Type returns the word that help shows for a value.
func (m *ColorMode) Type() string { return "auto|always|never" }

// UseColor reports whether output to w is coloured. In mode auto, the first rule that applies decides:
//
//	NO_COLOR not empty                no
//	CLICOLOR_FORCE not empty, not 0   yes
//	CLICOLOR=0 or TERM=dumb           no
//	w                                 yes if it is a terminal
func UseColor(mode ColorMode, w io.Writer, env func(string) string) bool {
	switch mode {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	force := env("CLICOLOR_FORCE")
	switch {
	case env("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	case env("CLICOLOR") == "0", env("TERM") == "dumb":
		return false
	}
	return Width(w) > 0
}

// Width returns the number of columns of the terminal that w writes to, or 0 if w is not a terminal.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return defaultWidth
}
