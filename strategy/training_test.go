package strategy

import (
	"slices"
	"strings"
	"testing"

	"condense/transcript"
)

// gateway is a row whose label repeats three things that a long result says.
func gateway() *transcript.Conversation {
	report := strings.Replace(lines(40), "this is line 8\n", "listen_port = 8443 for all\n", 1)
	report = strings.Replace(report, "this is line 20\n", "guarded by Mira since May\n", 1)
	report = strings.Replace(report, "this is line 30\n", "turn the left wheel twice\n", 1)
	return conv(user("which port, and who guards it?"), model(call("1", "Bash", "command=gateway --status")), user(result("1", report)),
		model("It is 8443, guarded by Mira. Now turn the left wheel twice."))
}

// TestQuotedLater checks which pieces later labels repeat.
func TestQuotedLater(t *testing.T) {
	unlearnedAnswer := model("port 8443 is used")
	unlearnedAnswer.Loss = transcript.LossOff
	for _, tt := range []struct {
		name string
		conv *transcript.Conversation
		want []string
	}{
		{"a number, a name, four words in a row", gateway(), []string{"listen_port = 8443 for all\n", "guarded by Mira since May\n", "turn the left wheel twice\n"}},
		{"the newest statement", conv(user("a"), model(call("1", "Bash", "command=a")), user(result("1", "port 8443\nx1 y")), model("8443"),
			model(call("2", "Bash", "command=a")), user(result("2", "old 8443\nx2 y")), model("8443")), []string{"port 8443\n", "old 8443\n"}},
		{"what was typed later", conv(user("a"), model(call("1", "Bash", "command=a")), user(result("1", "port 8443\nline x")), user("use 8443"), model("8443")), nil},
		{"the value of an argument", conv(user("a"), model(call("1", "Bash", "command=a")), user(result("1", "cabin economy\nline x")), model(call("2", "book", "cabin=economy"))), []string{"cabin economy\n"}},
		{"a word that begins a sentence", conv(user("a"), model(call("1", "Bash", "command=a")), user(result("1", "Every\nline x")), model("Every time.")), nil},
		{"text of the model without weight", conv(user("a"), unlearnedAnswer, user("b"), model("It is 8443.")), []string{"port 8443 is used"}},
	} {
		var got []string
		quoted := quotedLater(tt.conv)
		for ref := range tt.conv.Blocks() {
			got = append(got, quoted[ref]...)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestTraining checks that a run for training keeps labels and what they repeat, and
// leaves a row alone that does not fit.
func TestTraining(t *testing.T) {
	c := gateway()
	o := Defaults()
	o.Training = true
	for _, s := range All {
		for _, share := range []float64{0.5, 0.1} {
			o.Target.Share = share
			r, err := Run(t.Context(), c, []*Strategy{s}, &o, Env{Tokens: words})
			if err != nil {
				t.Fatal(s.Name, err)
			}
			fits := s == &Smart && share == 0.5
			if fits == r.Unfit() || r.Unfit() != (r.Decision.Rule == RuleUnfit) {
				t.Errorf("%s at %v: unfit %v, %d of %d tokens", s.Name, share, r.Unfit(), r.After, r.Before)
			}
			if !fits {
				if show(r.Conv) != show(c) || r.After != r.Before || len(r.Floor) == 0 {
					t.Errorf("%s at %v: the row has changed:\n%s", s.Name, share, show(r.Conv))
				}
				continue
			}
			left := r.Conv.Messages[2].Blocks[0].Text()
			for _, want := range []string{"listen_port = 8443", "guarded by Mira", "turn the left wheel twice"} {
				if !strings.Contains(left, want) {
					t.Errorf("%q is gone:\n%s", want, left)
				}
			}
			if r.After > r.Budget || strings.Contains(left, "this is line 3\n") {
				t.Errorf("%d tokens, budget %d:\n%s", r.After, r.Budget, left)
			}
		}
	}
}

// TestTrainingPins checks what may change in a row, by weights and origins.
func TestTrainingPins(t *testing.T) {
	weighted := func(m *transcript.Message, l transcript.Loss) *transcript.Message {
		m.Loss = l
		return m
	}
	quoted := user(quoting(result("1", "b")))
	c := conv(system("s"), user("typed", injected("note")), model("label", call("1", "Bash", "command=b")), user(result("1", "c")),
		weighted(model("free", call("2", "Bash", "command=d")), transcript.LossOff), weighted(user(result("2", "e")), transcript.LossOn), quoted)
	pins := newPinMap(c)
	newTraining(c, &Options{Training: true}).pin(pins, transcript.Verbatim)
	var free []string
	for ref, b := range c.Blocks() {
		if pins.of(ref) != transcript.Verbatim {
			free = append(free, b.Text())
		}
	}
	if want := []string{"note", "c", "free"}; !slices.Equal(free, want) {
		t.Errorf("%q may change, want %q", free, want)
	}
}
