package strategy

import (
	"fmt"
	"slices"
	"strings"

	"condense/transcript"
)

// Unmatched is an option that names texts, tools, paths or messages of which there are
// none: rather a slip of the pen than what was meant.
type Unmatched struct {
	Field   string // of [Options]
	Value   string // as it is parsed
	Problem string // what it does not find, for people
}

// Unmatched lists the options, or the single values of them, that find nothing in the
// effective view of any of the conversations. Without conversations there are none.
func (o *Options) Unmatched(convs []*transcript.Conversation) []Unmatched {
	if len(convs) == 0 {
		return nil
	}
	w := &missing{convs: convs}
	for _, re := range o.Pin {
		w.expect("Pin", re.String(), "nothing matches it", func(_ *transcript.Conversation, _ transcript.Ref, b *transcript.Block) bool {
			return re.MatchString(b.Text())
		})
	}
	for i, re := range o.Protect {
		w.expect("Protect", re.String(), "no line matches it", func(_ *transcript.Conversation, _ transcript.Ref, b *transcript.Block) bool {
			return slices.ContainsFunc(b.Parts, func(p transcript.Part) bool { return hasProtected(p.Text, o.Protect[i:i+1]) })
		})
	}
	for _, g := range o.ProtectTools {
		w.tool("ProtectTools", g.String(), g)
	}
	for _, g := range o.Only {
		w.tool("Only", "tool:"+g.String(), g)
	}
	for _, one := range o.Caps {
		w.tool("Caps", fmt.Sprintf("%s=%d", one.Tool, one.Tokens), one.Tool)
	}
	for _, g := range o.ProtectPaths {
		w.expect("ProtectPaths", g.String(), "no call names such a path", func(c *transcript.Conversation, ref transcript.Ref, b *transcript.Block) bool {
			_, paths := concerns(c, ref, b)
			return slices.ContainsFunc(paths, g.Path)
		})
	}
	w.messages(o.Messages)
	return w.list
}

// missing collects what is not found.
type missing struct {
	convs []*transcript.Conversation
	list  []Unmatched
	tools []string // names of those that were called, sorted; nil before they are needed
}

func (w *missing) add(field, value, problem string) {
	w.list = append(w.list, Unmatched{field, value, problem})
}

// expect adds the problem unless one of the blocks is found.
func (w *missing) expect(field, value, problem string, found func(*transcript.Conversation, transcript.Ref, *transcript.Block) bool) {
	for _, c := range w.convs {
		for ref, b := range c.Blocks() {
			if found(c, ref, b) {
				return
			}
		}
	}
	w.add(field, value, problem)
}

// tool expects that a tool with a name of the pattern was called.
func (w *missing) tool(field, value string, g Glob) {
	if w.tools == nil {
		w.tools = called(w.convs)
	}
	switch {
	case slices.ContainsFunc(w.tools, g.Name):
	case len(w.tools) == 0:
		w.add(field, value, "no tool is called")
	default:
		w.add(field, value, "no such tool is called, but "+few(w.tools))
	}
}

// messages expects that there are messages of these numbers.
func (w *missing) messages(r Range) {
	most := 0
	for _, c := range w.convs {
		most = max(most, len(c.Messages))
	}
	if r.First > most {
		w.add("Messages", r.String(), fmt.Sprintf("the last message is %s", thousands(most)))
	}
}

// called lists the tools that are called in the conversations, by name; not nil.
func called(convs []*transcript.Conversation) []string {
	names := []string{}
	known := map[string]bool{"": true}
	for _, c := range convs {
		for ref, b := range c.Blocks() {
			if tool, _ := concerns(c, ref, b); !known[tool] {
				known[tool] = true
				names = append(names, tool)
			}
		}
	}
	slices.Sort(names)
	return names
}

// few names the first of a list, and says how many more there are.
func few(names []string) string {
	const shown = 8
	if len(names) > shown {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
	}
	return strings.Join(names, ", ")
}
