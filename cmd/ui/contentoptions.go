package ui

// TextOptions say what the reader's screen can show. The zero value is right for a pipe.
type TextOptions struct {
	Color   bool // see [UseColor]
	Width   int  // columns of the terminal, see [Width]; 0 for none, then nothing is cut or shortened
	Verbose int  // 1: every edit and every fault
	Explain bool // every edit, as a table
}
