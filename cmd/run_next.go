package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"condense/cmd/report"
	"condense/cmd/session"
	"condense/cmd/source"
	"condense/strategy/condense"
	"condense/transcript/format"
	"condense/transcript/token"
)

// addNextSteps adds to the report of a written output how to go on with it, how to take the run back,
// and what the model's input costs.
func (c *condensed) addNextSteps(r *report.Report) {
	if price, ok := token.BuiltInPrices().Find(r.Tokenizer.Model); ok {
		r.Price = price.Input
	}
	if !r.Changed {
		return
	}
	addUndo(r)
	if r.Output != "" && r.Output != "-" && (r.Output == r.Input || c.SessionID != "") {
		r.Resume = c.resumption(r.Output)
	}
	if c.SessionID != "" && r.Resume == "" {
		r.Notes = append(r.Notes, "the id of the session is "+c.SessionID+" now")
	}
}

// indexNotes returns a note on an index that the client keeps beside a session that is replaced.
func indexNotes(in *source.Input, o *runOptions, c *condensed) []string {
	if !o.replaces || o.many || !c.Changed {
		return nil
	}
	index := session.Index(c.File.Dialect.Name, in.Name)
	if index == "" {
		return nil
	}
	return []string{"the client's index of this session, " + filepath.Base(index) + ", stays as it is, so history pages may lack turns; " +
		"condense run --session-id new makes a second session instead"}
}

// addUndo adds the command that moves the backup back, if no other undoes the run.
func addUndo(r *report.Report) {
	if r.Undo == "" && r.Backup != "" {
		r.Undo = "mv " + shellWord(r.Backup) + " " + shellWord(r.Output)
	}
}

// resumption returns the command line with which the client of the format continues the session in
// file, or a remark how it does; "" if neither is known.
func (c *condensed) resumption(file string) string { return resumption(c.Outcome, file) }

// resumption returns what [condensed.resumption] does, for any outcome.
func resumption(out *condense.Outcome, file string) string {
	how, id := out.File.Dialect.Resumption(), sessionOf(out)
	if byID(how) && !namedAfter(file, id) {
		return "" // the client would not find the session there
	}
	return resumeLine(out.File, id, file)
}

// byID reports whether a client finds a session by its id alone, in its own folder.
func byID(how format.Resumption) bool {
	return strings.Contains(how.Command, "ID") && !strings.Contains(how.Command, "FILE")
}

// sessionOf returns the id of the session that an output holds, "" if it has none.
func sessionOf(out *condense.Outcome) string {
	if out.SessionID == "" && len(out.File.Convs) > 0 {
		return out.File.Convs[0].ID
	}
	return out.SessionID
}

// resumeLine returns the command line with which the client of f continues the session with this id in
// file. Remarks follow if the session keeps its id, and if its folder is not on this machine. The remark
// of the format alone is returned if no command is known, or the id that it needs.
func resumeLine(f *format.File, id, file string) string {
	how := f.Dialect.Resumption()
	if how.Command == "" || id == "" && strings.Contains(how.Command, "ID") {
		return how.Note
	}
	command := strings.NewReplacer("ID", shellWord(id), "FILE", shellWord(file)).Replace(how.Command)
	var remarks []string
	if folder := f.Folder(); folder != "" {
		command = "cd " + shellWord(folder) + " && " + command
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			remarks = append(remarks, "this machine has no such folder")
		}
	}
	if how.Note != "" && id == f.Convs[0].ID {
		remarks = append(remarks, how.Note)
	}
	if len(remarks) > 0 {
		command += "   # " + strings.Join(remarks, "; ")
	}
	return command
}

// namedAfter reports whether the path of a file has the beginning of the id of its session, as clients
// name their files.
func namedAfter(file, id string) bool {
	const beginning = 8
	return len(id) >= beginning && strings.Contains(file, id[:beginning])
}

// newReportHelp returns the help topic about the words of reports: condense help report.
func newReportHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "report",
		Short: "What the words of a report mean",
		Long: `The report of a run has at most eight lines, and then the next steps. With -v it also has
tables, every remark and every change.

The first line has the sizes before and after, the strategy, and the unit in which tokens
are counted. Every number is counted on the output, after it was decoded again.

Shares of the conversation that the output still holds:

  answered         requests (typed texts) with an answer, of those that had one before
  closing answers  last texts of turns that keep a sentence at their place
  last answer      the last text of the model: kept if it is there word for word
  prose            paragraphs of the model that are whole, of those that are left
  facts            paths, errors, commands, identifiers, numbers, constraints that are
                   still named; rare ones weigh more
  bound            facts that are still at their place: in the same line, or among the
                   same words; not measurable with fewer than 20 facts
  user text        typed text that is there word for word
  todos            open items of the newest todo list

Other words:

  gaps             markers that stand for omitted text
  records          lines that stand for calls
  unit             the smallest run of messages that is removed as a whole: a prompt, an
                   answer, a call with its result
  pinned           protected by a rule or a flag: never removed, or never changed
  hidden messages  messages that the model does not see: they are copied as they are
  first changed    the first message that differs. A prompt that a provider has cached
                   is valid up to there
  pays after       turns until writing the rest of the cached prompt again has paid
  framing          tokens that an API adds around messages and calls; not counted
  faults           damage in the input, which is copied

The provider's count of the last request can differ from the count of the file: a request
has instructions and tools that the file does not name.`,
	}
}
