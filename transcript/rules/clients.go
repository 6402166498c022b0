package rules

import "condense/transcript"

// The rules of Claude Code and Qwen Code sessions, of Roo Code tasks and of the Anthropic API that only the
// bytes show.
var (
	// JSONLLine requires one JSON object on every line.
	JSONLLine = Rule{
		ID: "claude-code/jsonl-line", Severity: Warning,
		Doc: "Every line is one JSON object and ends in a newline. Claude Code skips other lines. When the last line has no newline, the next line is lost.",
		Fix: "remove a torn last line, add the newline",
	}
	// Chain requires parents that are in the file.
	Chain = Rule{
		ID:  "claude-code/chain",
		Doc: "Every parentUuid names a line of the file, and the chain of parents leads to a root. Lines beyond a broken link are silently not loaded.",
		Fix: "make the line before it its parent",
	}
	// QwenChain requires parents that are in the file.
	QwenChain = Rule{
		ID: "qwen-code/chain", Severity: Warning,
		Doc: "Every parentUuid names a line of the file. At a gap, current versions go on with the line before it; older ones load nothing beyond it.",
		Fix: "make the line before it its parent",
	}
	// UUIDUnique requires unique uuids.
	UUIDUnique = Rule{
		ID: "claude-code/uuid-unique", Severity: Warning,
		Doc: "No two lines have the same uuid.",
		Fix: "remove the repeated line",
	}
	// Boundary requires that the logical parent of a compaction boundary is in the file.
	Boundary = Rule{
		ID: "claude-code/boundary", Severity: Warning,
		Doc: "The logical parent of a compaction boundary is in the file. Some versions crash on resume when it is not.",
		Fix: "point to the line before the boundary",
	}
	// SummaryLeaf requires that the leaf of a summary is in the file.
	SummaryLeaf = Rule{
		ID: "claude-code/summary-leaf", Severity: Warning,
		Doc: "The leafUuid of a summary names a line of the file. A summary of another session is not shown for this one.",
		Fix: "none is needed: the line is ignored",
	}
	// SessionID requires one session id.
	SessionID = Rule{
		ID: "claude-code/session-id", Severity: Warning,
		Doc: "All lines have the same sessionId. Lines of another session damage both sessions.",
		Fix: "move the lines to their own session's file",
	}
	// SplitMessage requires that the lines of one answer are on one branch.
	SplitMessage = Rule{
		ID: "claude-code/split-message", Severity: Warning,
		Doc:      "The lines of one message.id are all on the branch that is resumed; readers join them before they pair calls and results.",
		Provider: "API Error: 400 due to tool use concurrency issues",
		Fix:      "resume with a version that joins split messages",
	}
	savedTextEmpty = Rule{
		ID: textEmpty.ID, Severity: Warning,
		Doc: textEmpty.Doc + " Current clients drop such blocks before they send a request; older clients do not. " +
			"Claude Code itself writes blank texts of the model before its calls, so these are no findings.",
		Provider: textEmpty.Provider,
		Fix:      textEmpty.Fix,
		find: func(v *view, broken report) {
			textEmpty.find(v, func(at transcript.Ref, message string, mend ...transcript.Edit) {
				if v.c.Message(at.Msg).Role != transcript.Assistant || at.Block == transcript.Whole {
					broken(at, message, mend...)
				}
			})
		},
	}
	// TagOrphan requires that the tags of Roo Code name a summary or marker.
	TagOrphan = Rule{
		ID: "roo/tag-orphan", Severity: Warning,
		Doc: "A condenseParent or truncationParent names a summary or marker of the file. Otherwise the message counts as visible again.",
		Fix: "remove the tag",
	}
	// UTF16WellFormed requires whole surrogate pairs in strings.
	UTF16WellFormed = Rule{
		ID:       "anthropic/utf16-wellformed",
		Doc:      "No string holds half of a surrogate pair.",
		Provider: "The request body is not valid JSON: no low surrogate in string",
		Fix:      "replace the half by the whole character, or remove it",
	}
	// CacheControlMax4 requires at most four cache marks.
	CacheControlMax4 = Rule{
		ID:       "anthropic/cache-control-max4",
		Doc:      "At most four blocks have cache_control, and no empty text has it.",
		Provider: "A maximum of 4 blocks with cache_control may be provided. Found 5.",
		Fix:      "remove the marks that come first",
	}
)
