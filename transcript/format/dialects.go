package format

import "fmt"

// Dialects lists every dialect in the order of detection, most specific first.
var Dialects = []*Dialect{
	&claudeCode,
	&codex,
	&chatGPT,
	&claudeAI,
	&continueDev,
	&openWebUI,
	&libreChat,
	&chatbotUI,
	&grok,
	&langChain,
	&vscodeCopilot,
	&aiSDK,
	&copilotCLI,
	&managedAgents,
	&pi,
	&cursor,
	&openCode,
	&geminiCLI,
	&geminiStream,
	&adk,
	&aiStudio,
	&gemini,
	&cline,
	&responses,
	&openaiFT,
	&sweAgent,
	&miniSWE,
	&openHands,
	&inspect,
	&shareGPT,
	&anthropic,
	&openai,
}

// dialect returns the named dialect, or the first one that recognises the source.
func (p *probe) dialect(name string) (*Dialect, error) {
	if name != "" {
		for _, d := range Dialects {
			if name == d.Name {
				return d, nil
			}
		}
		return nil, &UnknownDialect{Name: name, Known: dialectNames()}
	}
	if d := p.detected(); d != nil {
		return d, nil
	}
	if err := p.refused(); err != nil {
		return nil, err
	}
	return nil, &Error{
		Offset: -1,
		Reason: "not a transcript in a known format: it is " + p.syntax() + ", but " + p.looks(),
		Known:  dialectNames(),
	}
}

// detected returns the first dialect that recognises the source, or nil.
func (p *probe) detected() *Dialect {
	if p.lines != nil && !p.sound {
		return nil
	}
	find := func() *Dialect {
		for _, d := range Dialects {
			if d.sniff(p) {
				return d
			}
		}
		return nil
	}
	d := find()
	if (d == nil || d == &openai) && p.more {
		p.most = mostRecords
		p.look()
		d = find()
	}
	return d
}

// dialectNames returns the names of all dialects, in the order of detection.
func dialectNames() []string {
	names := make([]string, len(Dialects))
	for i, d := range Dialects {
		names[i] = d.Name
	}
	return names
}

// UnknownDialect is the error for a dialect name that does not exist.
type UnknownDialect struct {
	Name  string
	Known []string
}

func (e *UnknownDialect) Error() string { return fmt.Sprintf("unknown format %q", e.Name) }

// Unknown returns the name and all names that exist, so that a caller can suggest one.
func (e *UnknownDialect) Unknown() (name string, known []string) { return e.Name, e.Known }
