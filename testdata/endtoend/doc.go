// Package endtoend tests condense as a program: scripts of commands (testdata/script),
// terminals, shells, and the schemas of others for what it writes. It is a module of
// its own, so that what only these tests import is not required by condense.
// TestEndToEnd in cmd runs it.
package endtoend
