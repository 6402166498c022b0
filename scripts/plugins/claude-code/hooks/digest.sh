#!/bin/sh
# For Claude Code before 2.1.287, which has no session.compact hook. PreCompact saves a
# digest of the session; SessionStart after the compaction adds it to the context. It is no
# reason to stop a compaction, so nothing here fails: without condense there is no digest.
input=$(cat)
value() { printf '%s' "$input" | sed -n "s/.*\"$1\"[[:space:]]*:[[:space:]]*\"\([^\"]*\)\".*/\1/p"; }

umask 077
dir=${CLAUDE_PLUGIN_DATA:-${TMPDIR:-/tmp}/condense-claude-code}
digest=$dir/$(value session_id).md
condense=${CLAUDE_PLUGIN_OPTION_COMMAND:-condense}

case $(value hook_event_name) in
PreCompact)
	mkdir -p "$dir"
	"$condense" run -q --config none --strategy summarize --layout fresh --target 2000 "$(value transcript_path)" 2>/dev/null |
		"$condense" view --config none --no-pager --no-thinking --markdown - >"$digest" 2>/dev/null || rm -f "$digest"
	;;
SessionStart)
	[ -s "$digest" ] && cat "$digest"
	rm -f "$digest"
	;;
esac
exit 0
