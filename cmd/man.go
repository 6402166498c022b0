package cmd

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"condense/cmd/config"
	"condense/cmd/report"
	"condense/cmd/source"
)

// manOptions holds the flags of condense man.
type manOptions struct {
	markdown bool
	dir      string // folder for the pages of all commands
	force    bool
}

// newMan returns the command. tree returns a new tree of all commands, because page changes
// their texts.
func newMan(a *app, tree func() *cobra.Command) *cobra.Command {
	o := &manOptions{}
	cmd := &cobra.Command{
		Use:   "man [COMMAND…]",
		Short: "Print the manual",
		Long: `Print the manual page of condense, or of one of its commands, as input for man or, with
--markdown, as Markdown. --dir writes the pages of all commands, one file each.`,
		Example: `  condense man run > condense-run.1
  condense man --markdown stash gc
  condense man --dir man1`,
		Annotations: map[string]string{config.Annotation: config.Ignored},
		RunE:        func(cmd *cobra.Command, args []string) error { return runMan(cmd.Context(), a, tree(), o, args) },
	}
	fs := cmd.Flags()
	fs.BoolVar(&o.markdown, "markdown", false, "print Markdown instead of a manual page")
	fs.StringVar(&o.dir, "dir", "", "write the pages of all commands to this folder")
	fs.BoolVarP(&o.force, "force", "f", false, "overwrite existing pages")
	return cmd
}

func runMan(ctx context.Context, a *app, root *cobra.Command, o *manOptions, args []string) error {
	if o.dir != "" {
		if len(args) > 0 {
			return usage("--dir writes the pages of all commands: name no COMMAND")
		}
		if err := os.MkdirAll(o.dir, 0o755); err != nil {
			return &unwritable{"--dir", err}
		}
		return writePages(ctx, root, o)
	}
	of, rest, err := root.Find(args)
	if err != nil || len(rest) > 0 {
		if err == nil {
			err = unknownCommand(of, rest[0])
		}
		return &usageError{err, "see condense --help"}
	}
	text, err := page(of, o.markdown)
	if err != nil {
		return err
	}
	if _, err := a.out.Write(text); err != nil {
		return &outputError{err}
	}
	return nil
}

// writePages writes the pages of a command and of all commands below it.
func writePages(ctx context.Context, cmd *cobra.Command, o *manOptions) error {
	text, err := page(cmd, o.markdown)
	if err != nil {
		return err
	}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	if o.markdown {
		name = strings.ReplaceAll(cmd.CommandPath(), " ", "_") + ".md" // the name in links between pages
	}
	err = source.Create(ctx, filepath.Join(o.dir, name), source.CreateOptions{Force: o.force}, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			if err := writePages(ctx, sub, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// page returns the manual page of a command. It has no date, so its text depends only on the
// program. It changes the texts of cmd.
func page(cmd *cobra.Command, markdown bool) ([]byte, error) {
	cmd.DisableAutoGenTag = true
	cmd.Long = verbatim(cmd.Long)
	var b bytes.Buffer
	if markdown {
		err := doc.GenMarkdown(cmd, &b)
		return b.Bytes(), err
	}
	escape := func(f *pflag.Flag) { f.Usage = markdownSigns.Replace(f.Usage) }
	cmd.Flags().VisitAll(escape)
	cmd.InheritedFlags().VisitAll(escape)
	noDate := time.Time{}
	header := &doc.GenManHeader{Manual: "condense", Source: "condense " + report.CondenseVersion(), Date: &noDate}
	if err := doc.GenMan(cmd, header, &b); err != nil {
		return nil, err
	}
	return bytes.Replace(b.Bytes(), []byte(noDate.Format(`"Jan 2006"`)), []byte(`""`), 1), nil
}

// markdownSigns escapes the characters that Markdown reads as markup.
var markdownSigns = strings.NewReplacer("<", `\<`, ">", `\>`, "*", `\*`, "_", `\_`, "`", "\\`")

// indentedLine matches an indented line of a help text.
var indentedLine = regexp.MustCompile(`^ {2,}\S`)

// verbatim converts a help text to Markdown: indented lines become code blocks, and all other
// lines are escaped.
func verbatim(text string) string {
	var out []string
	inCode := false
	for line := range strings.SplitSeq(text, "\n") {
		indented := indentedLine.MatchString(line)
		if indented != inCode && line != "" {
			if n := len(out); n > 0 && out[n-1] != "" {
				out = append(out, "")
			}
			inCode = indented
		}
		if indented {
			line = "    " + line
		} else {
			line = markdownSigns.Replace(line)
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}
