package strategy

import (
	"strings"
	"testing"
)

// TestAnsweredOffer checks that the offer at the end of an answer goes before its findings, once
// the user has asked for something else.
func TestAnsweredOffer(t *testing.T) {
	const finding, offer = "The valve sticks because the spring has rusted through in three places, as the drawing of the last inspection shows.", "Want me to order a new spring today, and to write a note about the old one, with the three places and how long it has lasted?"
	for reply, stays := range map[string]bool{"yes, please": true, "do it": true, "what about the pump": false, "Look at the pump first, and tell me which parts of it are worn": false} {
		c := conv(concat(msgs(user("Look at the valve.")), round("1", "Read", "path=valve.txt", lines(60)),
			msgs(model(strings.Repeat("It has a handle, a body and a seat. ", 8)+"\n\n"+finding+" "+offer), user(reply)), round("2", "Read", "path=pump.txt", lines(60)), msgs(model("The pump runs.")))...)
		after := all(run(t, c, Options{Target: Target{Tokens: 104}}, &Smart).Conv)
		if !strings.Contains(after, finding) || strings.Contains(after, offer) != stays {
			t.Errorf("after %q:\n%s", reply, after)
		}
	}
}
