package inventory

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestVersion checks what is reported of the source of a build.
func TestVersion(t *testing.T) {
	for _, tt := range []struct {
		settings []debug.BuildSetting
		want     Version
	}{
		{nil, Version{}},
		{[]debug.BuildSetting{{Key: "GOOS", Value: "plan9"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}, Version{Revision: "abc"}},
		{[]debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}, Version{Modified: true}},
	} {
		got := versionOf(&debug.BuildInfo{Settings: tt.settings})
		if got.Revision != tt.want.Revision || got.Modified != tt.want.Modified || got.Go != runtime.Version() {
			t.Errorf("%v: %+v, want %+v", tt.settings, got, tt.want)
		}
	}
	if v := versionOf(nil); v.Revision != "" || v.Go != runtime.Version() {
		t.Errorf("a build without information is %+v", v)
	}
	if v := NewVersion(); v.Go != runtime.Version() || v.OS != runtime.GOOS || v.Arch != runtime.GOARCH || v.Version == "" {
		t.Errorf("this build is %+v", v)
	}
}
