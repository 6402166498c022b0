package cmd

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

const (
	configName  = "condense.yaml"
	configNone  = "none"  // of --config: no file at all
	configLimit = 1 << 20 // bytes; what is more is no configuration
)

// projectConfig is the condense.yaml that holds for a folder: the nearest, in it or
// above it, up to the root of the repository or the user's home; "" when there is none.
func projectConfig(dir string) string {
	home, _ := os.UserHomeDir()
	for {
		path := filepath.Join(dir, configName)
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

// userConfig is where the user's own file is, whether it exists or not.
func userConfig(env func(string) string) (string, error) {
	dir := env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // the specification has relative ones ignored
		var err error
		if dir, err = os.UserConfigDir(); err != nil {
			return "", err
		}
	}
	return filepath.Join(dir, "condense", configName), nil
}

// loadConfig returns the files that hold in the working directory, the strongest first:
// the project's and the user's, or only the one that was named.
func loadConfig(env func(string) string, named string, known []string) (files []*configFile, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if named == configNone {
		return nil, nil
	}
	if named != "" {
		c, err := readConfig(named, false, known)
		if errors.Is(err, fs.ErrNotExist) {
			err = &missingError{named}
		}
		if err != nil {
			return nil, err
		}
		return []*configFile{c}, nil
	}
	user, userErr := userConfig(env)
	if project := projectConfig(dir); project != "" && project != user {
		c, err := readConfig(project, true, known)
		if err != nil {
			return nil, err
		}
		files = append(files, c)
	}
	if userErr != nil { // no home: no file of its owner
		return files, nil
	}
	c, err := readConfig(user, false, known)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // or its folder is a file
		return files, nil
	case err != nil:
		return nil, err
	}
	return append(files, c), nil
}

// missingError is a file that --config names and that does not exist.
type missingError struct{ path string }

func (e *missingError) Error() string { return "--config " + e.path + ": there is no such file" }
func (e *missingError) Hint() string  { return "condense config init makes one" }

// readConfig reads a file and refuses one with a problem.
func readConfig(path string, project bool, known []string) (*configFile, error) {
	c, problems, err := openConfig(path, project, known)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, &configError{path, problems[0], len(problems) - 1}
	}
	return c, nil
}

// openConfig reads a file with the problems that show without any command.
func openConfig(path string, project bool, known []string) (*configFile, []problem, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > configLimit {
		return nil, nil, &configError{path: path, problem: problem{0, errors.New("not a file of at most a megabyte")}}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, err
	}
	c, problems := parseConfig(data)
	c.path, c.project = path, project
	if c.dir, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return nil, nil, err
	}
	problems = append(problems, c.checkKeys(known)...)
	slices.SortStableFunc(problems, func(a, b problem) int { return a.line - b.line })
	return c, problems, nil
}
