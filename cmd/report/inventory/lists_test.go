package inventory

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestVersion checks what is reported of a build and its source.
func TestVersion(t *testing.T) {
	installed := debug.Module{Version: "v1.0.0", Sum: "h1:x"}
	for _, tt := range []struct {
		info *debug.BuildInfo
		from string // as the linker sets it
		want Version
	}{
		{nil, "", Version{From: "source"}},
		{&debug.BuildInfo{}, "", Version{From: "source"}},
		{&debug.BuildInfo{Main: installed}, "", Version{From: "go install"}},
		{&debug.BuildInfo{}, "npm", Version{From: "npm"}},
		{&debug.BuildInfo{Main: installed}, "npm", Version{From: "npm"}},
		{nil, "npm", Version{From: "npm"}},
		{&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "GOOS", Value: "plan9"}, {Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}}, "", Version{From: "source", Revision: "abc"}},
		{&debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.modified", Value: "true"}}}, "", Version{From: "source", Modified: true}},
	} {
		got := versionOf(tt.info, tt.from)
		if got.From != tt.want.From || got.Revision != tt.want.Revision || got.Modified != tt.want.Modified || got.Go != runtime.Version() {
			t.Errorf("%v, %q: %+v, want %+v", tt.info, tt.from, got, tt.want)
		}
	}
	if v := NewVersion(); v.From != "source" || v.Go != runtime.Version() || v.OS != runtime.GOOS || v.Arch != runtime.GOARCH || v.Version == "" {
		t.Errorf("this build is %+v", v)
	}
}
