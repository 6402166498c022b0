package external

import "strings"

// passed are the variables that programs get: what they need to be found, to find
// their own files, and to speak the user's language. Everything else, such as keys
// of models and tokens of services, is not theirs.
var passed = []string{
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TERM", "TZ",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "VIRTUAL_ENV",
	"SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", // Windows
}

// Environment is what a program gets of the variables that env knows: those above
// and the ones named in more, each as NAME=value. Variables without a value are
// left out.
func Environment(env func(string) string, more []string) []string {
	list := []string{}
	for _, names := range [][]string{passed, more} {
		for _, name := range names {
			if value := env(name); value != "" && !strings.ContainsAny(name, "=\x00") {
				list = append(list, name+"="+value)
			}
		}
	}
	return list
}
