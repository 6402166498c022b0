package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// retained is "retained: facts 0.83 (bound 0.79) · user text 1.00 · todos 3/3", without what the
// input had none of, and "" when nothing changed.
func retained(r *Report) string {
	k := r.Retained
	if k == nil {
		return ""
	}
	var parts []string
	if k.Facts > 0 {
		parts = append(parts, fmt.Sprintf("facts %s (bound %s)", hundredths(k.Present), hundredths(k.Bound)))
	}
	if k.Typed.Before > 0 {
		parts = append(parts, "user text "+hundredths(k.User))
	}
	if k.Todos.Before > 0 {
		parts = append(parts, "todos "+strconv.Itoa(k.Todos.After)+"/"+strconv.Itoa(k.Todos.Before))
	}
	if parts == nil {
		return ""
	}
	return "retained: " + strings.Join(parts, " · ")
}

// retainedTable has a row for each kind of facts.
func retainedTable(r *Report, esc escaper) table {
	t := table{
		columns: []column{words, figures, figures, figures},
		head:    []string{"retained", "facts", "present", "bound"},
	}
	if r.Retained == nil {
		return t
	}
	for _, k := range r.Retained.Kinds {
		t.add(esc(k.Name), number(k.Facts), hundredths(k.Present), hundredths(k.Bound))
	}
	return t
}

// hundredths is a share of 1, never rounded up: 1.00 is all.
func hundredths(share float64) string {
	return strconv.FormatFloat(math.Floor(share*100+1e-9)/100, 'f', 2, 64)
}
