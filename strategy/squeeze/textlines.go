package squeeze

// addLines adds the lines of a part of the source, which stand under nothing.
func (t *Text) addLines(from, to int) {
	part := Cut(t.Source[from:to], Hint{})
	for _, p := range part.Pieces {
		p.Start, p.End = p.Start+from, p.End+from
		t.Pieces = append(t.Pieces, p)
	}
}
