package cmd

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheckInterrupted checks that an interrupted update does not report that nothing was written,
// because it may have written some files. A check without an update does report that.
func TestCheckInterrupted(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	t.Chdir("../testdata/sessions/openai")
	for _, update := range []bool{false, true} {
		var printed bytes.Buffer
		a := &app{out: &printed, err: &printed, env: func(string) string { return "" }}
		o := newCheckOptions()
		o.expect, o.update = filepath.Join(t.TempDir(), "golden"), update
		err := runCheck(ctx, a, o, []string{"messages.json"})
		if code := a.exit(ctx, err); code != exitInterrupted {
			t.Errorf("update %t: exit code %d", update, code)
		}
		if got := strings.Contains(printed.String(), "nothing was written"); got == update {
			t.Errorf("update %t: printed %q", update, printed.String())
		}
	}
}
