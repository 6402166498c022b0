package external

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestSessions checks that children with a session of their own, which leave the group of the program,
// end with it, too.
func TestSessions(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("there is no setsid")
	}
	const writes = `while :; do echo >>"$1"; sleep 0.01; done`
	for name, script := range map[string]string{
		"child":      `setsid sh -c '` + writes + `' sh "$0" & sleep 60`,
		"grandchild": `(setsid -f sh -c '` + writes + `' sh "$0" >/dev/null 2>&1 </dev/null); sleep 60`,
		"failure":    `setsid -f sh -c '` + writes + `' sh "$0" >/dev/null 2>&1 </dev/null; sleep 0.3; exit 3`,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "alive")
			p := Program{[]string{"sh", "-c", script, file}}
			o := &Options{Timeout: time.Second, Env: os.Environ()}
			if err := p.Run(t.Context(), nil, nil, o); err == nil {
				t.Fatal("no error")
			}
			before, err := os.ReadFile(file)
			if err != nil || len(before) == 0 {
				t.Fatalf("the child did not start: %v", err)
			}
			time.Sleep(200 * time.Millisecond)
			if after, _ := os.ReadFile(file); len(after) > len(before)+1 {
				t.Errorf("the child is still alive: %d lines, then %d", len(before), len(after))
			}
		})
	}
}
