package format

import (
	"strings"
	"testing"
)

func TestQuotesUser(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"", false},
		{"the user said:", true},
		{"The tool use was rejected. the user said: no", true},
		{"User has answered your questions: yes", true},
		{"The user provided the following feedback:\nshorter", true},
		{"Denied. user feedback: never", true},
		{"<feedback>fine</feedback>", true},
		{"a < b, c < d, <answer>\n42", true},
		{"<user_message>", true},
		{"The user said: in a story", false},
		{"the user said it", false},
		{"superuser has answered your questions", false},
		{"<feedbacks> <answers> user_message>", false},
		{"parser ser ser user user  feedback:", false},
		{"user user feedback:", true},
	} {
		for _, text := range []string{tt.text, strings.Repeat("log line of the user <b>\n", 100) + tt.text + "\nmore"} {
			if got := quotesUser(text); got != tt.want {
				t.Errorf("%.80q: %t", tt.text, got)
			}
		}
	}
}
