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

// TestEmptyRecordOfBranch checks that a record without a message, on an abandoned branch, is removed with
// the record above it. As a root it would hide the answer that the model sees.
func TestEmptyRecordOfBranch(t *testing.T) {
	const stays = `{"response":{"response_id":"b","message":"new","sender":"ASSISTANT","parent_response_id":"lost"}}`
	f := decoded(t, `{"conversations":[{"conversation":{},"responses":[`+
		`{"response":{"response_id":"a","message":"old","sender":"ASSISTANT","parent_response_id":"lost"}},`+stays+`,`+
		`{"response":{"response_id":"c","sender":"ASSISTANT","parent_response_id":"a"}},`+
		`{"response":{"response_id":"d","sender":"ASSISTANT","parent_response_id":"c"}}]}]}`)
	shows(t, f.Convs[0], `(assistant: model "old")`, `assistant: model "new"`)
	if got, want := edited(t, f, drop(0)), `{"conversations":[{"conversation":{},"responses":[`+stays+`]}]}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
