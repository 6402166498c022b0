package format

import "testing"

// TestBranchesInTurn checks that branches without a common record have the order of the file, also
// when the root of one is removed.
func TestBranchesInTurn(t *testing.T) {
	f := decoded(t, `{"conversations":[{"conversation":{},"responses":[`+
		`{"response":{"_id":"a","message":"q","sender":"human"}},`+
		`{"response":{"_id":"x","message":"r","sender":"human","parent_response_id":"lost"}},`+
		`{"response":{"_id":"b","message":"A","sender":"ASSISTANT","parent_response_id":"a"}},`+
		`{"response":{"_id":"y","message":"B","sender":"ASSISTANT","parent_response_id":"x"}}]}]}`)
	shows(t, f.Convs[0], `user: typed "q"`, `user: typed "r"`, `assistant: model "A"`, `assistant: model "B"`)
	shows(t, decoded(t, edited(t, f, drop(0))).Convs[0], `user: typed "r"`, `assistant: model "A"`, `assistant: model "B"`)
}
