// Package inventory is what commands report about condense itself, as data: its formats, strategies,
// settings, version and stash, and what is restored from it.
package inventory

import (
	"encoding/json"
	"runtime"
	"runtime/debug"

	"condense/cmd/report"
)

// Format is one way of saving conversations that condense knows. The names of
// its members in JSON are part of the interface.
type Format struct {
	Name    string `json:"name"`           // as given to --format
	Doc     string `json:"description"`    // what writes such files
	Where   string `json:"where"`          // where such files are found
	Read    bool   `json:"read"`           // can be read
	Write   bool   `json:"write"`          // is written back in its own form
	Rules   string `json:"rules"`          // the profile that validate and repair go by
	Hidden  bool   `json:"hidden_history"` // files can hold history that the model does not see
	Mirrors bool   `json:"mirrors"`        // files repeat texts beside the messages
}

// Setting is the value of a flag. The names of its members in JSON are part of the interface.
type Setting struct {
	Key   string `json:"key"`   // name of the flag
	Value string `json:"value"` // as it would be typed; several, separated by commas
	From  string `json:"from"`  // a variable, FILE:LINE, a preset, or default
}

// Settings lists the values of flags. In JSON it is the list alone.
type Settings struct {
	List     []Setting
	Defaults int // flags that have their defaults and are not in the list
}

// MarshalJSON writes the list.
func (s *Settings) MarshalJSON() ([]byte, error) { return json.Marshal(s.List) }

// ConfigPlace is a file that settings are read from.
type ConfigPlace struct {
	What   string // project, user, or named
	Path   string
	Exists bool
}

// Strategy is one way to make a conversation smaller. The names of its members in
// JSON are part of the interface.
type Strategy struct {
	Name    string   `json:"name"`           // as given to --strategy
	Doc     string   `json:"description"`    // what it does
	Loses   string   `json:"loses"`          // what its output has no longer
	Aims    bool     `json:"aims"`           // works towards the target, half of the tokens when none is given; others do all they can
	Asks    bool     `json:"asks_model"`     // asks a language model when one is to be asked
	Needs   bool     `json:"needs_model"`    // can do nothing without a model: none yet
	Options []string `json:"options"`        // flags that say how it works, beside those for all
	Stages  []string `json:"runs,omitempty"` // of a preset: the strategies that it runs, in this order
}

// Version describes a build. The names of its members in JSON are part of the
// interface.
type Version struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; "" where the build does not know it
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// NewVersion returns the description of this build.
func NewVersion() Version {
	v := Version{Version: report.CondenseVersion(), Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}
