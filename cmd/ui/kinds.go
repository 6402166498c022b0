package ui

import "slices"

// kinds adds up the kinds of content over all conversations.
func kinds(r *Report) []Kind {
	var out []Kind
	for i := range r.Conversations {
		for _, k := range r.Conversations[i].Kinds {
			at := slices.IndexFunc(out, func(o Kind) bool { return o.Name == k.Name })
			if at < 0 {
				at = len(out)
				out = append(out, Kind{Name: k.Name})
			}
			out[at].Tokens.Before += k.Tokens.Before
			out[at].Tokens.After += k.Tokens.After
		}
	}
	return slices.DeleteFunc(out, func(k Kind) bool { return k.Tokens == Change{} })
}

// kindTable has a row for each kind of content, with bars to compare them by eye if asked.
func kindTable(r *Report, bars bool, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, saving, aside},
		head:    []string{"kind", "tokens", "after", "saved", ""},
	}
	all, largest := kinds(r), 0
	for _, k := range all {
		largest = max(largest, k.Tokens.Before)
	}
	for _, k := range all {
		drawn := ""
		if bars {
			drawn = bar(k.Tokens, largest)
		}
		t.add(esc(k.Name), number(k.Tokens.Before), number(k.Tokens.After), percent(k.Tokens), drawn)
	}
	return t
}
