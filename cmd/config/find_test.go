package config

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// write writes a file and makes its folder.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestFindFiles checks which files are read in a folder of a checkout, and which places are listed.
func TestFindFiles(t *testing.T) {
	top := t.TempDir()
	home := filepath.Join(top, "home")
	work := filepath.Join(home, "checkout", "src", "deep")
	if err := os.MkdirAll(work, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	env := func(name string) string {
		return map[string]string{"XDG_CONFIG_HOME": filepath.Join(home, "settings")}[name]
	}
	user := filepath.Join(home, "settings", "condense", FileName)
	project := filepath.Join(home, "checkout", FileName)
	beyond := filepath.Join(home, FileName)
	t.Chdir(work)
	check := func(name string, want ...string) {
		t.Helper()
		files, err := Load(env, "", []string{"target"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got []string
		for _, f := range files {
			got = append(got, f.Path)
			if f.Project != (f.Path != user) {
				t.Errorf("%s: %s is a project file: %v", name, f.Path, f.Project)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: read %q, want %q", name, got, want)
		}
	}
	check("none")
	write(t, beyond, "target: 1k")
	check("in the home", beyond)
	write(t, project, "target: 2k")
	check("the nearest one", project)
	write(t, user, "target: 3k")
	check("and the user's", project, user)
	if err := os.Remove(project); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, "checkout", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	check("not above the repository", user)
	places, err := Places(env, "")
	if want := []Place{{"project", filepath.Join(work, FileName), false}, {"user", user, true}}; err != nil || !slices.Equal(places, want) {
		t.Errorf("the places are %+v, %v", places, err)
	}
	write(t, project, "target: 2k")
	if places, err := Places(env, ""); err != nil || places[0] != (Place{"project", project, true}) {
		t.Errorf("the places are %+v, %v", places, err)
	}
	if places, err := Places(env, user); err != nil || !slices.Equal(places, []Place{{"named", user, true}}) {
		t.Errorf("the places are %+v, %v", places, err)
	}
	if files, err := Load(env, none, nil); err != nil || files != nil {
		t.Errorf("with none, read %v, %v", files, err)
	}
	if places, err := Places(env, none); err != nil || places != nil {
		t.Errorf("with none, the places are %v, %v", places, err)
	}
	if files, err := Load(env, user, []string{"target"}); err != nil || len(files) != 1 || files[0].Project {
		t.Errorf("a named file: %v, %v", files, err)
	}
	var missing *missingError
	if _, err := Load(env, filepath.Join(home, "none.yaml"), nil); !errors.As(err, &missing) || missing.Hint() == "" {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestUserFile checks where the user's own file is: in an absolute XDG_CONFIG_HOME, else in the folder of the system.
func TestUserFile(t *testing.T) {
	t.Setenv("HOME", "/home/u")
	t.Setenv("XDG_CONFIG_HOME", "")
	system, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"/settings": "/settings", "relative": system, "": system} {
		got, err := UserFile(func(string) string { return dir })
		if err != nil || got != filepath.Join(want, "condense", FileName) {
			t.Errorf("with %q it is %q, %v", dir, got, err)
		}
	}
	t.Setenv("HOME", "")
	if _, err := os.UserConfigDir(); err == nil {
		t.Skip("this system needs no HOME")
	}
	none := func(string) string { return "" }
	if _, err := UserFile(none); err == nil {
		t.Error("there is a user's file without a home")
	}
	if _, err := Places(none, ""); err == nil {
		t.Error("there is a place of the user's file without a home")
	}
	project := filepath.Join(t.TempDir(), FileName)
	write(t, project, "target: 1k")
	t.Chdir(filepath.Dir(project))
	if files, err := Load(none, "", []string{"target"}); err != nil || len(files) != 1 || files[0].Path != project {
		t.Errorf("without a home, read %v, %v", files, err)
	}
}

// TestStateDir checks where the program keeps what is between runs.
func TestStateDir(t *testing.T) {
	own := map[string]string{"windows": "/local", "darwin": "/home/u/Library/Application Support", "linux": "/home/u/.local/state"}[runtime.GOOS]
	if own == "" {
		t.Skip("the folder of this system is not known")
	}
	for _, tt := range []struct{ state, home, want string }{
		{"/state", "/home/u", "/state/condense"},
		{"state", "/home/u", own + "/condense"},
		{"", "/home/u", own + "/condense"},
	} {
		env := map[string]string{"XDG_STATE_HOME": tt.state, "HOME": tt.home, "LocalAppData": "/local"}
		if got := StateDir(func(name string) string { return env[name] }); got != filepath.FromSlash(tt.want) {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
	for _, home := range []string{"", "relative"} {
		if got := StateDir(func(name string) string { return map[string]string{"HOME": home}[name] }); got != "" {
			t.Errorf("with the home %q: got %q", home, got)
		}
	}
}

// TestLoadProblems checks that a problem of any file is an error, and that a folder that is a file has none.
func TestLoadProblems(t *testing.T) {
	top := t.TempDir()
	t.Setenv("HOME", top)
	env := func(string) string { return filepath.Join(top, "settings") }
	user, project := filepath.Join(top, "settings", "condense", FileName), filepath.Join(top, "work", FileName)
	write(t, project, "target: 1k")
	t.Chdir(filepath.Dir(project))
	write(t, filepath.Join(top, "settings"), "a file")
	if files, err := Load(env, "", []string{"target"}); err != nil || len(files) != 1 {
		t.Errorf("a folder of settings that is a file: %v, %v", files, err)
	}
	if err := os.Remove(filepath.Join(top, "settings")); err != nil {
		t.Fatal(err)
	}
	var problem *Error
	write(t, user, "no-such: 1")
	if files, err := Load(env, "", []string{"target"}); !errors.As(err, &problem) || problem.Path != user || files != nil || errors.Unwrap(err) == nil {
		t.Errorf("a wrong user's file: %v, %v", files, err)
	}
	if files, err := Load(env, user, []string{"target"}); !errors.As(err, &problem) || files != nil {
		t.Errorf("a wrong named file: %v, %v", files, err)
	}
	write(t, project, "no-such: 1")
	if files, err := Load(env, "", []string{"target"}); !errors.As(err, &problem) || problem.Path != project || files != nil {
		t.Errorf("a wrong project file: %v, %v", files, err)
	}
	if _, err := Load(env, filepath.Join(top, "none.yaml"), nil); err == nil || err.Error() != "--config "+filepath.Join(top, "none.yaml")+": there is no such file" {
		t.Errorf("a missing named file: %v", err)
	}
}

// TestFileProblems checks the first problem of a file that is reported, with its place and the
// number of others.
func TestFileProblems(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	for _, tt := range []struct{ text, want, hint string }{
		{"target: 5k\nfiles:\n  '*': {pin: a}\n", "", ""},
		{"target: 5k\n\ntargets: 1\n", path + `:3: unknown key "targets"`, "see condense config --help"},
		{"b: 1\na: 1\n", path + `:1: unknown key "b"`, "condense config check lists all problems"},
		{"files:\n  '*': {pins: a}\n", path + `:2: unknown key "pins"`, "see condense config --help"},
		{"force: true\n", path + ":1: force is not allowed in project files: it chooses what is overwritten; use a flag or your own file", "see condense config --help"},
		{"{", path + ":", "see condense config --help"},
		{"--- null\n", "", ""},
		{"--- 5\n", path + ":1: expected keys with values", "see condense config --help"},
	} {
		write(t, path, tt.text)
		_, err := read(path, true, []string{"target", "pin", "force"})
		var problem *Error
		if (err == nil) != (tt.want == "") || err != nil && (!strings.HasPrefix(err.Error(), tt.want) || !errors.As(err, &problem) || problem.Hint() != tt.hint) {
			t.Errorf("%q: %v", tt.text, err)
		}
	}
	var problem *Error
	if _, _, err := Open(dir, false, nil); !errors.As(err, &problem) || err.Error() != dir+": expected a regular file of at most a megabyte" {
		t.Errorf("a folder: %v", err)
	}
	write(t, path, strings.Repeat("#", limit+1))
	if _, _, err := Open(path, false, nil); !errors.As(err, &problem) {
		t.Errorf("a large file: %v", err)
	}
	write(t, path, strings.Repeat("#", limit))
	if _, problems, err := Open(path, false, nil); err != nil || problems != nil {
		t.Errorf("a file of a megabyte: %v, %v", problems, err)
	}
}

// TestOpenFails checks that a file that is there and cannot be read is an error, and not a file without settings.
func TestOpenFails(t *testing.T) {
	const memory = "/proc/self/mem" // has no bytes at its beginning
	if info, err := os.Stat(memory); err != nil || !info.Mode().IsRegular() {
		t.Skipf("there is no %s on this system", memory)
	}
	if c, problems, err := Open(memory, false, nil); c != nil || problems != nil || err == nil {
		t.Errorf("got %+v, %v, %v", c, problems, err)
	}
}

// TestUserOnlyReasons checks that each refused key has a reason, and that it names the key.
func TestUserOnlyReasons(t *testing.T) {
	project := &File{Project: true, Dir: t.TempDir()}
	for _, key := range slices.Sorted(maps.Keys(UserOnly)) {
		err := project.refuses(key, entry{texts: []string{"x"}})
		if err == nil || !strings.HasPrefix(err.Error(), key+" is not allowed in project files: it ") {
			t.Errorf("%s: %v", key, err)
		}
		if err := (&File{}).refuses(key, entry{texts: []string{"x"}}); err != nil {
			t.Errorf("%s in the user's file: %v", key, err)
		}
	}
	for _, key := range PathKeys {
		for path, want := range map[string]bool{"inside": true, "../outside": false, "/outside": false, "": true} {
			err := project.refuses(key, entry{texts: []string{"inside", path}})
			if UserOnly[key] == "" && (err == nil) != want {
				t.Errorf("%s with %q: %v", key, path, err)
			}
		}
	}
	for text, want := range map[string]bool{"mask": true, "mask dedupe": true, "mask,exec:make": false, "mask exec:make": false, "exec:make mask": false} {
		for _, key := range []string{"strategy", "strategy-for"} {
			err := project.refuses(key, entry{texts: strings.Fields(text)})
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "it starts programs") {
				t.Errorf("%s with %q: %v", key, text, err)
			}
		}
	}
}

// TestExpected checks what is expected of a value, for the kinds whose errors the library words.
func TestExpected(t *testing.T) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Int("n", 0, "")
	fs.Float64("share", 0, "")
	fs.Bool("yes", false, "")
	fs.Duration("time", time.Second, "")
	fs.Var(&one{kind: "KIND"}, "other", "")
	for _, tt := range []struct{ name, text, want string }{
		{"n", "x", `n: expected a whole number, not "x"`},
		{"n", "99999999999999999999", `n: expected a smaller number, not "99999999999999999999"`},
		{"share", "x", `share: expected a number, not "x"`},
		{"yes", "x", `yes: expected true or false, not "x"`},
		{"time", "x", `time: expected a duration, such as 90s, not "x"`},
		{"other", "x", ""},
		{"n", "7", ""},
	} {
		if err := setFlag(fs, tt.name, tt.text); (err == nil) != (tt.want == "") || err != nil && err.Error() != tt.want {
			t.Errorf("%s %s: %v, want %s", tt.name, tt.text, err, tt.want)
		}
	}
}

// TestSections checks the levels of a file: flags for all files of a command, and those that
// settings do not affect, are left out of sections.
func TestSections(t *testing.T) {
	c, problems := Parse([]byte("target: 5k\nalways: true\nstash: s\nfiles:\n  '*': {target: 6k, always: true}\n"))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c.Path, c.Dir = "c.yaml", "/settings"
	fs := someFlags()
	fs.String("stash", "", "")
	WholeCommand(fs, "always")
	whole, section := c.level(0, c.values), c.level(5, c.files[0].values)
	wrong, _ := Parse([]byte("target: [5k]"))
	wrong.Path = "c.yaml"
	list := wrong.level(0, wrong.values)
	for _, tt := range []struct {
		level Level
		flag  string
		want  string // texts, place, error
	}{
		{whole, "target", "5k c.yaml:1"},
		{whole, "always", "true c.yaml:2"},
		{whole, "stash", "/settings/s c.yaml:3"},
		{whole, "pin", ""},
		{section, "target", "6k c.yaml:5"},
		{whole, "pin", ""},
		{list, "target", " c.yaml:1 target takes one value, not a list"},
		{section, "always", " c.yaml:5 always holds for all files of a command: move it out of files"},
	} {
		texts, where, ok, err := tt.level.values(fs.Lookup(tt.flag))
		got := strings.Join(texts, ",") + " " + where
		if err != nil {
			got += " " + err.Error()
		}
		if !ok {
			got = ""
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.flag, got, tt.want)
		}
	}
	TypedOnly(fs, "target")
	if _, _, ok, _ := whole.values(fs.Lookup("target")); ok || !Annotated(fs.Lookup("target"), Ignored) || Annotated(fs.Lookup("pin"), Ignored) {
		t.Error("settings affect a flag that means something else here")
	}
	defer func() {
		if recover() == nil {
			t.Error("a flag that does not exist was annotated")
		}
	}()
	TypedOnly(fs, "none")
}

// TestTry checks that every value that a flag refuses, or that is out of range, is reported
// with its line.
func TestTry(t *testing.T) {
	c, _ := Parse([]byte("always: maybe\ntarget: 5k\nfiles:\n  '*':\n    always: no way\n    target: 9\n"))
	c.Path = "c.yaml"
	problems := c.Try(someFlags(), func(name string, texts []string) error {
		if name == "target" && texts[0] == "9" {
			return errors.New("too small")
		}
		return nil
	})
	var got []int
	for _, p := range problems {
		got = append(got, p.Line)
	}
	slices.Sort(got)
	if !slices.Equal(got, []int{1, 5, 6}) {
		t.Errorf("problems %v", problems)
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.IntSlice("numbers", nil, "")
	for text, want := range map[string]int{"numbers: [1, 2]": 0, "numbers: [x, 2]": 1, "numbers: [1, x]": 1, "numbers: {a: 1}": 1} {
		c, _ := Parse([]byte(text))
		if problems := c.Try(fs, func(string, []string) error { return nil }); len(problems) != want {
			t.Errorf("%s has the problems %v", text, problems)
		}
	}
}

// TestTemplate checks the lines of a new file: one for each flag that it may set.
func TestTemplate(t *testing.T) {
	fs := someFlags()
	fs.String("help", "", "")
	fs.String(FlagName, "", "")
	fs.String("hidden", "", "")
	fs.String("force", "", "write anyway")
	fs.String("text", "", "")
	fs.String("share", "50%", "")
	fs.String("word", "some", "")
	fs.Lookup("hidden").Hidden = true
	for _, project := range []bool{false, true} {
		text := Template(fs, project)
		for name, want := range map[string]bool{"help": false, FlagName: false, "hidden": false, "force": !project, "target": true, "pin": true, "always": true} {
			if got := strings.Contains(text, "\n# "+name+": "); got != want {
				t.Errorf("project %v: a line for %s: %v", project, name, got)
			}
		}
		for _, line := range []string{"# target: \"TOKENS|PERCENT\"\n", "# pin: []\n", "# always: false\n", "# text: \"\"\n", "# share: \"50%\"\n", "# word: some\n"} {
			if !strings.Contains(text, line) {
				t.Errorf("project %v: no line %q in\n%s", project, line, text)
			}
		}
		if !strings.HasSuffix(text, "# files:\n#   \"logs/**/*.jsonl\": {preset: aggressive}\n") || !strings.HasPrefix(text, "## Settings of condense.") {
			t.Errorf("project %v:\n%s", project, text)
		}
	}
}
