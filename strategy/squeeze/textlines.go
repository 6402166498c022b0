package squeeze

// addLines adds the lines of a part of the source, which stand under nothing.
func (t *Text) addLines(from, to int) {
	for from < to {
		end := min(t.lineEnd(from), to)
		t.add(from, end, wordCue(t.Source[from:end]), None)
		from = end
	}
}
