package strategy

import (
	"fmt"
	"strings"
)

// All holds the strategies in the order of the help. It has no preparations, which
// options demand, and no presets, which are lists of strategies.
var All = []*Strategy{&Dedupe, &Mask, &Smart, &Progressive, &Summarize, &Truncate}

// Names returns the names that [Parse] accepts: the preset first, then those of All.
func Names() []string {
	names := []string{HybridName}
	for _, s := range All {
		names = append(names, s.Name)
	}
	return names
}

// Parse parses a pipeline: names of strategies or of the preset, separated by commas.
// The error is an *[UnknownStrategy].
func Parse(list string) ([]*Strategy, error) {
	var stages []*Strategy
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if name == HybridName {
			stages = append(stages, Hybrid...)
			continue
		}
		s := byName(name)
		if s == nil {
			return nil, &UnknownStrategy{name, Names()}
		}
		stages = append(stages, s)
	}
	return stages, nil
}

// UnknownStrategy is the error for a name that no strategy has.
type UnknownStrategy struct {
	Name  string
	Known []string
}

func (e *UnknownStrategy) Error() string {
	return fmt.Sprintf("unknown strategy %q, expected one of %s", e.Name, strings.Join(e.Known, ", "))
}

// Unknown returns the name and the known names, from which a caller can suggest one.
func (e *UnknownStrategy) Unknown() (name string, known []string) { return e.Name, e.Known }

func byName(name string) *Strategy {
	for _, s := range All {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Hybrid is the pipeline of the preset of that name, cheap and safe stages first. Each
// stage runs only while the conversation is over the budget.
var Hybrid = []*Strategy{
	&Dedupe, // loses nothing that is not elsewhere in the conversation
	&Smart,  // loses the detail that is least likely to be needed
}

// The name of the preset, and a sentence about it.
const (
	HybridName = "hybrid"
	HybridDoc  = "dedupe, then smart-compress, each only while still over the target"
)
