package strategy

import (
	"regexp"
	"strings"

	"condense/transcript"
)

// What a client puts into user messages again and again: the state of its
// environment, reminders, mentioned files. Older ones go when a newer one says
// the same.

// events matches what tells of something that happened at its place, such as a
// command that the user gave: that it happened again later does not replace it.
var events = regexp.MustCompile(`^\s*(?:<(?:command-|local-command-std|bash-|turn_aborted|task-notification|` +
	`subagent_notification|teammate-message|user_shell_command)|` +
	`\[Request interrupted|\[TASK RESUMPTION\]|Stop hook feedback|Operation stopped by hook)`)

// note removes an injected text when newer ones say the same or have the same
// sections. Where it is the last block of its message, or pinned, a marker
// stays. It reports whether the block is gone.
func (d *deduper) note(ref transcript.Ref, b *transcript.Block, last bool) bool {
	text := b.Text()
	switch {
	case events.MatchString(text):
		return false
	case len(b.Parts) > 0 && b.Parts[0].Name != "": // a mentioned file
		if d.seen(b.Parts[0].Name + "\x00" + text) {
			d.add(b, transcript.Edit{
				At: ref, Op: transcript.Rewrite, Text: claimed("", "file "+firstLine(b.Parts[0].Name)), Why: "repeated later",
			})
			return false
		}
		d.passages(ref, b, false)
		return false
	}
	kind := "reminder"
	var superseded bool
	if strings.HasPrefix(strings.TrimSpace(text), "<environment_details>") {
		kind, superseded = "environment details", d.seenAll(headings(text))
	} else {
		superseded = d.seen(text)
		if head := reminderHead(text); head != "" {
			superseded = d.seen(head) || superseded
		}
	}
	switch {
	case !superseded:
		return false
	case last || b.Pin == transcript.Present:
		d.mark(ref, b, kind)
		return false
	}
	return d.add(b, transcript.Edit{At: ref, Op: transcript.Drop, Why: "newer " + kind + " later"})
}

// mark puts a marker in the place of a note.
func (d *deduper) mark(ref transcript.Ref, b *transcript.Block, kind string) {
	d.add(b, transcript.Edit{
		At: ref, Op: transcript.Rewrite, Text: transcript.Marker("older " + kind), Why: "newer " + kind + " later",
	})
}

// seen reports whether a newer note had the key, and remembers it.
func (d *deduper) seen(key string) bool {
	known := d.notes[key]
	d.notes[key] = true
	return known
}

// seenAll reports whether newer notes had all the keys, and at least one is given.
func (d *deduper) seenAll(keys []string) bool {
	all := len(keys) > 0
	for _, k := range keys {
		all = d.seen(k) && all
	}
	return all
}

// headings lists the section headings of environment details, without what
// stands in brackets or after a colon (paths, times).
func headings(text string) []string {
	var heads []string
	for line := range strings.Lines(text) {
		head, ok := strings.CutPrefix(line, "# ")
		if !ok {
			continue
		}
		if i := strings.IndexByte(head, '('); i >= 0 {
			head = head[:i] + head[i+strings.LastIndexByte(head[i:], ')')+1:]
		}
		head, _, _ = strings.Cut(head, ":")
		heads = append(heads, "# "+strings.TrimSpace(head))
	}
	return heads
}

// reminderHead is the first sentence of a reminder that is sent again and again
// with another body, such as the state of a todo list; "" for one that is about
// something of its own (a path, a number).
func reminderHead(text string) string {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), "<system-reminder>")
	if !ok {
		return ""
	}
	head := firstLine(body)
	if len(head) < 20 || strings.ContainsAny(head, "/\\0123456789") || !strings.Contains(strings.ToLower(head), "todo") {
		return ""
	}
	return "<system-reminder>" + head
}
