package cmd

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"condense/cmd/report"
	"condense/cmd/report/gate"
	"condense/transcript"
	"condense/transcript/format"
	"condense/transcript/rules"
	"condense/transcript/token"
)

// judge checks one file against its demands.
type judge struct {
	d       *demands
	file    *format.File
	counter *token.Counter
	gated   gate.Gated // the findings so far
}

// breach adds a finding: a demand that is not met. conv is the index of the conversation, or
// -1 for the whole file. m is the message where the demand is not met, or nil.
func (j *judge) breach(demand string, conv int, m *transcript.Message, text, fix string) {
	b := gate.Breach{
		Demand: demand, Rule: "condense/" + demand, Severity: rules.Error.String(), Path: j.gated.Input,
		Conversation: conv + 1, Text: text, Fix: fix,
	}
	if m != nil {
		b.Line = j.file.Line(conv, transcript.At(m.ID))
		b.Message = j.file.Convs[conv].Position(m.ID) + 1
	}
	j.gated.Findings = append(j.gated.Findings, b)
}

// maxTokens counts the tokens of each conversation, and finds the message in which it
// exceeds the limit.
func (j *judge) maxTokens() {
	for i, c := range j.file.Convs {
		total := 0
		var over *transcript.Message
		for m := range c.Visible() {
			for _, b := range m.Blocks {
				total += j.counter.Block(b)
			}
			if over == nil && total > j.d.maxTokens {
				over = m
			}
		}
		j.gated.Tokens += total
		if limit := j.d.maxTokens; limit > 0 && total > limit {
			j.breach("max-tokens", i, over,
				fmt.Sprintf("%s, %s over --max-tokens %d; the limit is reached in this message", transcript.Plural(total, "token"), transcript.Number(total-limit), limit),
				condensing(limit, j.gated.Input))
		}
	}
}

// maxGrowth compares the tokens of the file with the baseline.
func (j *judge) maxGrowth(before *baseline) {
	was, known := before.tokens(j.gated.Input)
	if !known {
		j.breach("max-growth", -1, nil, "it is not in the baseline: its growth is not checked", "--update-baseline adds it")
		j.gated.Findings[len(j.gated.Findings)-1].Severity = rules.Warning.String()
		return
	}
	if now := j.gated.Tokens; float64(now) > float64(was)*(1+*j.d.maxGrowth) {
		grown := "from nothing"
		if was > 0 {
			grown = "by " + roundedPercent(float64(now)/float64(was)-1)
		}
		j.breach("max-growth", -1, nil,
			fmt.Sprintf("grown %s, from %s to %s, --max-growth allows %s", grown, transcript.Number(was), transcript.Plural(now, "token"), roundedPercent(*j.d.maxGrowth)),
			"--update-baseline, if this is intended")
	}
}

// valid adds what an API or client would refuse, by the rules that --valid names.
func (j *judge) valid() {
	if j.d.valid == "" {
		return
	}
	p := rules.ProfileNamed(j.d.valid)
	if p == nil {
		p = j.file.Dialect.Target()
	}
	for _, f := range gate.NewFindings(j.file, p) {
		j.gated.Findings = append(j.gated.Findings, gate.Breach{
			Demand: "valid", Rule: f.Rule, Severity: f.Severity, Path: j.gated.Input,
			Line: f.Line, Conversation: f.Conversation, Message: f.Message, Text: f.Text, Fix: f.Fix,
		})
	}
}

// refused records that condensing failed: no demand on the output is met.
func (j *judge) refused(err error) {
	for _, name := range j.gated.Demands {
		if name == "min-savings" || name == "min-retention" || name == "expect" {
			j.breach(name, -1, nil, err.Error(), "")
		}
	}
}

// outcome judges the condensed file by --min-savings and --min-retention.
func (j *judge) outcome(r *report.Report) {
	out := &gate.Outcome{Tokens: r.Tokens.After, Bound: 1, Worst: 1, Why: r.Unchanged}
	j.gated.Outcome = out
	if least := j.d.minSavings; least != nil {
		saved := 0.0
		if r.Tokens.Before > 0 {
			saved = float64(r.Tokens.Before-r.Tokens.After) / float64(r.Tokens.Before)
		}
		if saved < *least {
			text := fmt.Sprintf("condensing saves %s, from %s to %s, --min-savings demands %s",
				roundedPercent(saved), transcript.Number(r.Tokens.Before), transcript.Plural(r.Tokens.After, "token"), roundedPercent(*least))
			if r.Unchanged != "" {
				text += ": " + r.Unchanged
			}
			j.breach("min-savings", -1, nil, text, "")
		}
	}
	for i, c := range r.Conversations {
		if c.Retained == nil {
			continue
		}
		out.Bound = min(out.Bound, c.Retained.Bound)
		if worst := c.Retained.Worst(); worst.Value < out.Worst {
			out.Worst, out.Measure = worst.Value, worst.Name
		}
		for _, m := range j.d.minRetention.Missed(c.Retained) {
			var first *transcript.Message
			if c.FirstChanged > 0 {
				first = j.file.Convs[i].Messages[c.FirstChanged-1]
			}
			j.breach("min-retention", i, first, "condensed, "+m.String()+"; this is the first message that changes",
				"raise --target, or demand less, such as --min-retention "+m.Reached())
		}
	}
}

// roundedPercent formats a share as a percentage, rounded to hundredths of a percent: 9.43% for
// 0.09434.
func roundedPercent(share float64) string {
	return strconv.FormatFloat(math.Round(share*1e4)/100, 'f', -1, 64) + "%"
}

// condensing returns the command that brings a file within a limit: in place, unless it is
// standard input.
func condensing(limit int, path string) string {
	if path == "-" {
		return fmt.Sprintf("condense run --target %d", limit)
	}
	return fmt.Sprintf("condense run -w --target %d %s", limit, shellWord(path))
}

// unread returns the result for a file that cannot be read.
func unread(path string, err error) gate.Gated {
	b := gate.Breach{Demand: "read", Rule: "condense/read", Severity: "error", Path: path, Text: err.Error()}
	var at *format.Error
	if errors.As(err, &at) {
		b.Line, b.Text = at.Line, at.Reason
	}
	b.Text = strings.TrimPrefix(b.Text, path+": ")
	b.Fix = errorHint(err)
	return gate.Gated{Input: path, Findings: []gate.Breach{b}}
}
