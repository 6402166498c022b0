package cmd

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/strategy"
	"condense/transcript"
)

// matterToAll are options that are listed with single strategies, and that say something
// to the others, too.
var matterToAll = []string{"window", "protect", "thinking", "tag"}

// oddFlags are the flags whose names are not those of their options in another spelling.
var oddFlags = map[string]string{
	"ProtectTools": "protect-tool", "ProtectPaths": "protect-path", "Caps": "cap", "Hide": "tag",
	"Ask": "llm", "Model.Name": "llm-model", "Model.Fallback": "fallback", "Model.Focus": "focus", "Model.Prompt": "prompt-file",
}

// flagOf returns the name of the flag that sets an option of the library: "keep-first"
// for KeepFirst.
func flagOf(option string) string {
	if name, ok := oddFlags[option]; ok {
		return name
	}
	var name strings.Builder
	for i, r := range option {
		if unicode.IsUpper(r) && i > 0 {
			name.WriteByte('-')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// flagsOf returns the flags that set the options of a strategy.
func flagsOf(s *strategy.Strategy) (names []string) {
	for _, option := range s.Options {
		names = append(names, flagOf(option))
	}
	return names
}

// takes reports whether a stage of the pipeline goes by a flag.
func (o *runOptions) takes(flag string) bool {
	return slices.ContainsFunc(o.stages, func(s *strategy.Strategy) bool { return slices.Contains(flagsOf(s), flag) })
}

// idleNotes tell people of flags on the command line that do nothing: no strategy of the
// run goes by them, they need another flag, or what they name is not in the conversations.
// Of what stands in files and variables nothing is said: that is for other runs as well. A
// variable with a typing error is for none.
func (a *app) idleNotes(o *runOptions, results []*strategy.Result) (notes []string) {
	typed := func(flag string) bool { return len(a.settings.Given[flag]) > 0 }
	if a.running != nil {
		for _, err := range config.Misspelt(a.env, configKeys(a.running.Root())) {
			notes = append(notes, err.Error())
		}
	}
	var unasked []string
	if !o.use {
		for _, flag := range llmFlags() {
			if typed(flag) && flag != "llm" {
				unasked = append(unasked, flag)
			}
		}
	}
	if len(unasked) > 0 {
		notes = append(notes, noEffect(unasked)+" without --llm")
	}
	notes = append(notes, o.unheeded(func(flag string) bool { return typed(flag) && !slices.Contains(unasked, flag) })...)
	var convs []*transcript.Conversation
	for _, r := range results {
		if r != nil {
			convs = append(convs, r.From)
		}
	}
	for _, u := range o.strategy.Unmatched(convs) {
		if flag := flagOf(u.Field); typed(flag) {
			notes = append(notes, fmt.Sprintf("--%s %s: %s", flag, u.Value, u.Problem))
		}
	}
	return notes
}

// unheeded says which of the typed options no stage goes by, and whose they are. Programs
// are no such stages: they take none of them.
func (o *runOptions) unheeded(typed func(flag string) bool) (notes []string) {
	var owners []string // of each group of options, in the order in which notes name them
	groups := map[string][]string{}
	for _, s := range strategy.All {
		for _, flag := range flagsOf(s) {
			if slices.Contains(matterToAll, flag) || o.takes(flag) || !typed(flag) {
				continue
			}
			of := strings.Join(ownersOf(flag), " and ")
			if !slices.Contains(owners, of) {
				owners = append(owners, of)
			}
			if !slices.Contains(groups[of], flag) {
				groups[of] = append(groups[of], flag)
			}
		}
	}
	for _, of := range owners {
		notes = append(notes, noEffect(groups[of])+" on "+o.pipeline.String()+": only on "+of)
	}
	return notes
}

// ownersOf lists the strategies that go by a flag.
func ownersOf(flag string) (names []string) {
	for _, s := range strategy.All {
		if slices.Contains(flagsOf(s), flag) {
			names = append(names, s.Name)
		}
	}
	return names
}

// noEffect is the beginning of a sentence about flags.
func noEffect(flags []string) string {
	if len(flags) == 1 {
		return fmt.Sprintf("--%s has no effect", flags[0])
	}
	last := len(flags) - 1
	return fmt.Sprintf("--%s and --%s have no effect", strings.Join(flags[:last], ", --"), flags[last])
}

// llmFlags are the names of the flags about a model.
func llmFlags() (names []string) {
	o, cmd := newLLMOptions(), &cobra.Command{}
	o.addFlags(cmd, cmd.Flags())
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
