package format
import ("testing";"path/filepath")
func TestZZGen(t *testing.T) {
	files,_ := filepath.Glob("/tmp/ev/gen/*")
	for _, p := range files {
		t.Run(filepath.Base(p), func(t *testing.T) { theirs := readEval(t, []string{p})
		f := decodeFile(t, p)
		c := comparison{t: t, path: filepath.Base(p), explained: map[string]int{}}
		if len(theirs[p]) != len(f.Convs) { t.Errorf("%s convs %d %d", p, len(f.Convs), len(theirs[p])); return }
		for i := range f.Convs { c.conversation(f.Convs[i], f.layouts[i], theirs[p][i]) }
		c.report() })
	}
}
