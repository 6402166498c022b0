package redact

// Rule is a rule of gitleaks for tests.
type Rule struct {
	Family, Kind, Value string
	Names, Starts       []string
	Entropy             float64
}

// Rules returns the rules of gitleaks.
func Rules() (list []Rule) {
	for _, r := range gitleaks {
		list = append(list, Rule{r.family, r.kind, r.value, r.names, r.starts, r.entropy})
	}
	return list
}

// Without returns Text with the rules of some families left out.
func Without(families map[string]bool) func(s string) (string, Counts) {
	return without(families).redact
}

// LeaveOut leaves the rules of some families out of Text until restore is called.
func LeaveOut(families map[string]bool) (restore func()) {
	was, rest := known, without(families)
	known = func() *table { return rest }
	return func() { known = was }
}

func without(families map[string]bool) *table {
	var rest []rule
	for _, list := range [][]rule{providers, gitleaks} {
		for _, r := range list {
			if !families[r.family] {
				rest = append(rest, r)
			}
		}
	}
	return newTable(rest)
}

// Entropy is the entropy of a text in bits a byte.
func Entropy(s string) float64 { return entropy(s) }
