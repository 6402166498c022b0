package ui

import "io"

// Version is what a build says of itself. The names of its members in JSON are part of the
// interface.
type Version struct {
	Version  string `json:"version"`
	Revision string `json:"revision"` // of the source; "" where the build does not know it
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// VersionJSON writes a version for programs: an object.
func VersionJSON(w io.Writer, v Version) error { return writeJSON(w, v) }
