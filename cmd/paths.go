package cmd

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// found is a file that a command is to read.
type found struct {
	path string
	walk bool // it was found in a folder, not named: it may be no conversation
}

// expand replaces the folders among paths by the files in them, by name: .json and
// .jsonl, compressed ones too. Hidden folders are left out, and links are not
// followed: they may lead out of the folder, or in a circle.
func expand(paths []string) (list []found, err error) {
	for _, path := range paths {
		info, statErr := os.Stat(path)
		if path == "-" || statErr != nil || !info.IsDir() { // who opens it says what is wrong with it
			list = append(list, found{path: path})
			continue
		}
		err = cmp.Or(err, filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && name != path && strings.HasPrefix(d.Name(), "."):
				return fs.SkipDir
			case d.Type().IsRegular() && isSaved(d.Name()):
				list = append(list, found{name, true})
			}
			return nil
		}))
	}
	return list, err
}

// isSaved tells whether a file may hold conversations, by its name.
func isSaved(name string) bool {
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	return slices.Contains([]string{".json", ".jsonl"}, filepath.Ext(name))
}
