package external

import (
	"errors"
	"testing"
)

// TestMessages checks the texts of errors, and what a strategy that is a program tells about itself.
func TestMessages(t *testing.T) {
	cause := errors.New("exit status 3")
	for said, want := range map[string]string{"": "p: exit status 3", " \n": "p: exit status 3", "why\n": "p: exit status 3: why"} {
		if got := (&Error{"p", cause, said}).Error(); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
	for text, want := range map[string]string{"x": "expected exec:PROGRAM", "exec:": "expected a program after exec:", "exec: ''": "expected a program after exec:"} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	p, err := Parse("exec:/bin/tool -x 'a b'")
	if err != nil {
		t.Fatal(err)
	}
	if s := Strategy(p, &Options{}); s.Name != p.Name() || s.Doc != "another program" || s.Loses == "" || !s.Aims {
		t.Errorf("got %+v", s)
	}
}

// TestDefaultTimeout checks that a program without a timeout of its own has time.
func TestDefaultTimeout(t *testing.T) {
	var shown []string
	p, o := as(t, "say x")
	o.Timeout, o.Show = 0, func(_, said string) { shown = append(shown, said) }
	if err := p.Run(t.Context(), nil, nil, o); err != nil {
		t.Fatal(err)
	}
	if len(shown) != 1 || shown[0] != "x" {
		t.Errorf("one letter was shown as %q", shown)
	}
	o.Env = []string{role + "=say "}
	if err := p.Run(t.Context(), nil, nil, o); err != nil || len(shown) != 1 {
		t.Errorf("nothing was shown as %q, %v", shown, err)
	}
}
