package ui

import "io"

// StatsHTML stub
func StatsHTML(w io.Writer, s *Stats) error { return nil }
// ComparisonHTML stub
func ComparisonHTML(w io.Writer, c *Comparison) error { return nil }
