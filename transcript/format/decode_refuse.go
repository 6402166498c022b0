package format

import (
	"bytes"
	"slices"
	"strings"

	"condense/transcript/internal/rawjson"
)

// A refusedKind is a kind of file that is stored beside conversations, or resembles one,
// but holds none. Its error describes the file and where to find the conversations.
type refusedKind struct {
	Name   string // of the kind, for tests and bug reports
	Reason string // what the file is, in one sentence that holds for all files of the kind
	Advice string // which file to condense instead

	where   site
	members string // of the object, such as "ts type=say|ask"; see hasMembers
}

// A site states which object of a source identifies its kind.
type site int

const (
	atObject site = iota // the source itself
	atRecord             // the first line, or the first object of an array
	atMember             // the value of the first member
	atStart              // none: the source is not JSON and begins with one of these texts: "<html|<body"
)

// refusals lists the files that are refused by name. They apply only to sources that no
// dialect recognises.
var refusals = []refusedKind{
	// Cline, Roo Code
	{"cline-ui", "it is the log of Cline's or Roo Code's user interface, which repeats the conversation and is not what the model sees",
		"condense the api_conversation_history.json beside it", atRecord, "ts type=say|ask"},
	{"cline-task-metadata", "it is Cline's list of the files and models of a task, without the conversation",
		"condense the api_conversation_history.json beside it", atObject, "files_in_context"},
	{"roo-task", "it is Roo Code's entry for one task in its list, without the conversation",
		"condense the api_conversation_history.json beside it", atObject, "id ts task tokensIn"},
	{"cline-tasks", "it is Cline's list of tasks, without their conversations",
		"condense tasks/ID/api_conversation_history.json of one of them", atRecord, "id ts task tokensIn"},

	// Claude Code
	{"claude-code-history", "it is Claude Code's list of typed prompts, without the answers",
		"sessions are the files ~/.claude/projects/*/SESSION.jsonl", atRecord, "display timestamp"},
	{"claude-code-index", "it is Claude Code's index of sessions, without the conversations",
		"sessions are the .jsonl files beside it", atObject, "entries.sessionId entries.fullPath"},
	{"claude-code-todos", "it is a todo list of Claude Code, without the conversation",
		"sessions are the files ~/.claude/projects/*/SESSION.jsonl", atRecord, "content activeForm status=pending|in_progress|completed"},

	// Codex, Gemini CLI, OpenCode, Continue
	{"codex-history", "it is Codex's list of typed prompts, without the answers",
		"sessions are the files ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl", atRecord, "session_id ts text"},
	{"codex-index", "it is Codex's index of sessions, without the conversations",
		"sessions are the files ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl", atRecord, "id thread_name updated_at"},
	{"gemini-cli-log", "it is Gemini CLI's list of typed prompts, without the answers",
		"sessions are the files chats/session-*.json beside it", atRecord, "sessionId messageId type message"},
	{"opencode-session", "it is OpenCode's record of a session, without the messages",
		"write the whole session to a file with: opencode export ID", atObject, "id projectID directory"},
	{"opencode-message", "it is OpenCode's record of one message, without the parts that hold its text",
		"write the whole session to a file with: opencode export ID", atObject, "id sessionID role"},
	{"opencode-part", "it is one part of one message of OpenCode",
		"write the whole session to a file with: opencode export ID", atObject, "id sessionID messageID type"},
	{"continue-index", "it is Continue's index of sessions, without the conversations",
		"sessions are the files ID.json beside it", atRecord, "sessionId title dateCreated"},

	// Exports of ChatGPT and claude.ai
	{"chatgpt-user", "it is the account in a ChatGPT export, without the conversations",
		"condense the conversations.json beside it", atObject, "email chatgpt_plus_user"},
	{"chatgpt-feedback", "it is the list of ratings in a ChatGPT export, without the conversations",
		"condense the conversations.json beside it", atRecord, "conversation_id rating"},
	{"chatgpt-shared", "it is the list of shared links in a ChatGPT export, without the conversations",
		"condense the conversations.json beside it", atRecord, "conversation_id is_anonymous"},
	{"claude-ai-users", "it is the list of accounts in a claude.ai export, without the conversations",
		"condense the conversations.json beside it", atRecord, "uuid full_name email_address"},
	{"claude-ai-projects", "it is the list of projects in a claude.ai export, without the conversations",
		"condense the conversations.json beside it", atRecord, "uuid name prompt_template"},

	// Providers
	{"openai-response", "it is one answer of the chat completions API, without the messages that it answers",
		"condense the messages of the request", atObject, "object=chat.completion|chat.completion.chunk choices"},
	{"anthropic-response", "it is one answer of the Messages API, without the messages that it answers",
		"condense the messages of the request", atObject, "type=message role=assistant stop_reason"},
	{"event-stream", "it is a recorded event stream, one answer in pieces",
		"condense the messages of the request", atStart, "data:|event:"},
	{"har", "it is an archive of HTTP traffic",
		"save the body of one request to a file, and condense that", atObject, "log.creator log.entries"},

	// Data sets and logs without messages
	{"instructions", "it is a data set of single instructions and outputs, and no conversation",
		"there are no turns to condense", atRecord, "instruction output"},
	{"preferences", "it is a data set of preferred and rejected answers, and no conversation",
		"there are no turns to condense", atRecord, "chosen rejected"},
	{"screenagent", "it is a list of ScreenAgent steps, each with a prompt of its own, and no conversation",
		"there are no turns to condense", atRecord, "send_prompt LLM_response"},
	{"intercode", "it holds actions and observations of InterCode, without messages",
		"condense the log of the chat with the model", atMember, "environment query"},
	{"agentbench", "it is a list of AgentBench tasks with their checks, and no conversation",
		"condense the log of a run", atRecord, "description create evaluation"},
	{"tau2-voice", "it is a tau2-bench simulation of speech in ticks, without messages",
		"condense the simulation of a text chat", atObject, "ticks mode=full_duplex"},

	// Anything
	{"json-schema", "it is a JSON Schema", "name a saved conversation", atObject, "$schema properties"},
	{"npm-package", "it is the package.json of an npm package", "name a saved conversation", atObject, "name version dependencies"},
	{"npm-package", "it is the package.json of an npm package", "name a saved conversation", atObject, "name version scripts"},
	{"npm-lock", "it is a lock file of npm", "name a saved conversation", atObject, "lockfileVersion packages"},
	{"notebook", "it is a Jupyter notebook", "name a saved conversation", atObject, "cells nbformat"},
	{"openapi", "it is the description of an HTTP API", "name a saved conversation", atObject, "openapi paths"},
	{"html", "it is a web page, not JSON", "save the export itself; a page that asks to log in is often saved in its place", atStart, "<!doctype html|<html"},
	{"sqlite", "it is an SQLite database, not JSON", "export the conversation from the program that keeps it there", atStart, "sqlite format 3\x00"},
	{"pdf", "it is a PDF document, not JSON", "name a saved conversation", atStart, "%pdf-"},
}

// refused returns the error for a source that is known not to be a conversation, or nil.
func (p *probe) refused() error {
	for _, r := range refusals {
		if r.where != atStart && hasMembers(p.at(r.where), r.members) {
			return r.error()
		}
	}
	return nil
}

// refusedStart is refused for a source that is not JSON. The source begins at offset at.
func refusedStart(src []byte, at int) error {
	head := bytes.ToLower(src[at:min(len(src), at+32)])
	for _, r := range refusals {
		if r.where != atStart {
			continue
		}
		for begin := range strings.SplitSeq(r.members, "|") {
			if bytes.HasPrefix(head, []byte(begin)) {
				return r.error()
			}
		}
	}
	return nil
}

func (r *refusedKind) error() error { return &Error{Offset: -1, Reason: r.Reason, Advice: r.Advice} }

// at returns the object at a site; absent when the source has none.
func (p *probe) at(where site) rawjson.Value {
	switch {
	case p.lines != nil && where == atRecord:
		return p.first[0]
	case p.lines != nil:
		return rawjson.Value{}
	case where == atRecord:
		return firstObject(p.doc.Root())
	case where == atMember:
		for _, v := range p.doc.Root().Members() {
			return v
		}
		return rawjson.Value{}
	case p.doc.Root().Kind() == rawjson.Array:
		return rawjson.Value{}
	}
	return p.doc.Root()
}

// firstObject returns v. For an array it returns the first element, and for nested arrays
// the first element of the innermost.
func firstObject(v rawjson.Value) rawjson.Value {
	for v.Kind() == rawjson.Array {
		first := rawjson.Value{}
		for e := range v.Elems() {
			first = e
			break
		}
		v = first
	}
	return v
}

// hasMembers reports whether v is an object with all of these members. With key=a|b the
// value must be the string a or b. a.b is the member b of the first object in a.
func hasMembers(v rawjson.Value, members string) bool {
	for want := range strings.FieldsSeq(members) {
		path, texts, fixed := strings.Cut(want, "=")
		m := v
		for key := range strings.SplitSeq(path, ".") {
			m = firstObject(m).Get(key)
		}
		if !m.Ok() || fixed && !slices.Contains(strings.Split(texts, "|"), m.Str()) {
			return false
		}
	}
	return true
}
