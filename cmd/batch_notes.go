package cmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"condense/cmd/report/survey"
	"condense/transcript"
)

// reasons counts files by a reason.
type reasons []filesFor

// filesFor counts the files for reasons that differ only in numbers.
type filesFor struct {
	files          int
	kind           string // the reason without numbers
	example, first string // the reason of the first file, and its path
}

// add counts a file by its reason, unless that is "".
func (l *reasons) add(path, reason string) {
	if reason == "" {
		return
	}
	kind := numbers.ReplaceAllString(reason, "0")
	at := slices.IndexFunc(*l, func(u filesFor) bool { return u.kind == kind })
	if at < 0 {
		at = len(*l)
		*l = append(*l, filesFor{kind: kind, example: reason, first: path})
	}
	u := &(*l)[at]
	u.files++
	if path < u.first { // files end in any order
		u.example, u.first = reason, path
	}
}

// notes returns notes with the reasons, the most frequent first. what says what the files are, such as "unchanged".
func (l reasons) notes(what string) (notes []string) {
	slices.SortFunc(l, func(x, y filesFor) int {
		return cmp.Or(cmp.Compare(y.files, x.files), cmp.Compare(x.kind, y.kind))
	})
	for i, u := range l {
		if i == maxReasons {
			return append(notes, fmt.Sprintf("%s for %s: -v lists them", what, transcript.Plural(len(l)-i, "more reason")))
		}
		text := fmt.Sprintf("%s %s: %s", transcript.Plural(u.files, "file"), what, u.example)
		if u.files > 1 {
			text = fmt.Sprintf("%s %s, such as %s: %s", transcript.Plural(u.files, "file"), what, u.first, u.example)
		}
		notes = append(notes, text)
	}
	return notes
}

// tokenizers returns the different ways in which the tokens of the files were counted. Images of
// unknown size make no difference.
func (b *batchRun) tokenizers() (uses []survey.TokenizerUse) {
	for _, it := range b.items {
		if it.how != nil {
			how := *it.how
			how.Flat = 0
			uses = survey.AddUse(uses, how)
		}
	}
	return uses
}

// doneBefore returns the note that an earlier run has condensed n of the files.
func doneBefore(n int) string {
	if n == 1 {
		return "1 of them was done before"
	}
	return fmt.Sprintf("%d of them were done before", n)
}

// notes returns remarks for the report: the limits of the project, what the model cost, and how many
// files were done before.
func (b *batchRun) notes() (notes []string) {
	if len(b.a.limits) > 0 {
		notes = append(notes, "the project's condense.yaml sets "+strings.Join(b.a.limits, ", "))
	}
	if b.asking != nil {
		notes = append(notes, b.asking.spent()...)
	}
	if b.o.run.replaces && !b.o.run.dryRun && !b.o.run.stash.noUndo {
		notes = append(notes, "condense undo FILE puts the old content of a file back")
	}
	if b.unkept > 0 {
		notes = append(notes, fmt.Sprintf("%s%d of the files", noWayBack, b.unkept))
	}
	if b.before > 0 {
		notes = append(notes, doneBefore(b.before))
	}
	return notes
}
