// Package endtoend tests condense as a program: with scripts of commands
// (testdata/script), on terminals, in shells, and against public schemas for its
// outputs. It is a module of its own, so that the module of condense does not
// require packages that only these tests import. TestEndToEnd in cmd/endtoend runs it.
package endtoend
