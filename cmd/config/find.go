package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
)

const (
	// FileName is the name of a file of settings.
	FileName = "condense.yaml"
	none     = "none"  // value of --config that names no file
	limit    = 1 << 20 // largest size of a file in bytes
)

// projectFile returns the nearest condense.yaml in dir or above it, up to the root of the
// repository or the user's home. It returns "" if there is none.
func projectFile(dir string) string {
	home, _ := os.UserHomeDir()
	for {
		path := filepath.Join(dir, FileName)
		if _, err := os.Lstat(path); err == nil {
			return path
		}
		parent := filepath.Dir(dir)
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil || dir == home || parent == dir {
			return ""
		}
		dir = parent
	}
}

// UserFile returns the path of the user's own file, which need not exist.
func UserFile(env func(string) string) (string, error) {
	dir := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "condense", FileName), nil
}

// StateDir returns the folder for what the program keeps between runs. It need not exist. It is "" if
// the environment names no home.
func StateDir(env func(string) string) string {
	dir, home := env("XDG_STATE_HOME"), env("HOME")
	switch {
	case filepath.IsAbs(dir): // the XDG specification says to ignore relative paths
	case runtime.GOOS == "windows":
		dir = env("LocalAppData")
	case runtime.GOOS == "darwin" && home != "":
		dir = filepath.Join(home, "Library", "Application Support")
	case home != "":
		dir = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(dir) {
		return ""
	}
	return filepath.Join(dir, "condense")
}

// Load returns the files of settings for the working directory, the strongest first: the
// project's and the user's, or only the named one. known lists the keys that exist.
func Load(env func(string) string, named string, known []string) (files []*File, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if named == none {
		return nil, nil
	}
	if named != "" {
		c, err := read(named, false, known)
		if errors.Is(err, fs.ErrNotExist) {
			err = &missingError{named}
		}
		if err != nil {
			return nil, err
		}
		return []*File{c}, nil
	}
	user, userErr := UserFile(env)
	if project := projectFile(dir); project != "" && project != user {
		c, err := read(project, true, known)
		if err != nil {
			return nil, err
		}
		files = append(files, c)
	}
	if userErr != nil { // without a home, there is no user's file
		return files, nil
	}
	c, err := read(user, false, known)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // ENOTDIR: its folder is a file
		return files, nil
	case err != nil:
		return nil, err
	}
	return append(files, c), nil
}

// missingError reports that the file of --config does not exist.
type missingError struct{ path string }

func (e *missingError) Error() string { return "--config " + e.path + ": there is no such file" }
func (e *missingError) Hint() string  { return "create one with condense config init" }

// read reads a file, and returns an error if it has a problem.
func read(path string, project bool, known []string) (*File, error) {
	c, problems, err := Open(path, project, known)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &Error{path, problems[0], len(problems) - 1}
	}
	return c, nil
}

// Open reads a file, and returns it with the problems that can be found without knowing the
// command. known lists the keys that exist.
func Open(path string, project bool, known []string) (*File, []Problem, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return nil, nil, &Error{Path: path, Problem: Problem{0, errors.New("expected a regular file of at most a megabyte")}}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	c, problems := Parse(data)
	c.Path, c.Project = path, project
	if c.Dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return nil, nil, err
	}
	problems = append(problems, c.CheckKeys(known)...)
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return c, problems, nil
}

// Place is the place of a file of settings.
type Place struct {
	What   string // project, user, or named
	Path   string
	Exists bool
}

// Places returns the files that are read in the working directory, and those that would be
// read if they existed.
func Places(env func(string) string, named string) ([]Place, error) {
	if named == none {
		return nil, nil
	}
	place := func(what, path string) Place {
		_, err := os.Stat(path)
		return Place{What: what, Path: path, Exists: err == nil}
	}
	if named != "" {
		return []Place{place("named", named)}, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	user, err := UserFile(env)
	if err != nil {
		return nil, err
	}
	project := projectFile(dir)
	if project == "" || project == user {
		project = filepath.Join(dir, FileName)
	}
	return []Place{place("project", project), place("user", user)}, nil
}
