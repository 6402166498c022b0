#!/bin/sh
# For clients without a hook that replaces the compaction: Codex, and Claude Code before
# 2.1.287. PreCompact saves a digest of the session; SessionStart after the compaction adds it
# to the context. It never stops a compaction: without condense there is no digest.
input=$(cat)
value() { printf '%s' "$input" | sed -n "s/.*\"$1\"[[:space:]]*:[[:space:]]*\"\([^\"]*\)\".*/\1/p"; }

umask 077
dir=${CLAUDE_PLUGIN_DATA:-${XDG_STATE_HOME:-$HOME/.local/state}/condense/digest}
digest=$dir/$(value session_id).md
condense=${CLAUDE_PLUGIN_OPTION_COMMAND:-condense}

case $(value hook_event_name) in
PreCompact)
	mkdir -p "$dir"
	"$condense" run -q --config none --strategy summarize --layout fresh --target 2000 "$(value transcript_path)" 2>/dev/null |
		"$condense" view --config none --no-pager --no-thinking --full --markdown - 2>/dev/null |
		sed -n '/^### [0-9]* · user/,$p' >"$digest"
	;;
SessionStart)
	[ -s "$digest" ] && cat "$digest"
	rm -f "$digest"
	;;
esac
exit 0
