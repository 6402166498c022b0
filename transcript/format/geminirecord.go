package format

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"condense/transcript"
	"condense/transcript/internal/rawjson"
	"condense/transcript/internal/splice"
)

// This file has what the dialects of Gemini share about records: the usage that
// they tell, what in them repeats the blocks, and how a new one is made.

// geminiUsage reads what the provider counted for an answer. Its prompt tokens
// include those that were cached.
func geminiUsage(v rawjson.Value) *transcript.Usage {
	if v.Kind() != rawjson.Object {
		return nil
	}
	count := func(keys ...string) int {
		n, _ := firstOf(v, keys...).Int()
		return int(n)
	}
	cached := count("cached_content_token_count", "cachedContentTokenCount")
	return &transcript.Usage{
		Input: uncached(count("prompt_token_count", "promptTokenCount"), cached), CacheRead: cached,
		Output: count("candidates_token_count", "candidatesTokenCount") + count("thoughts_token_count", "thoughtsTokenCount"),
	}
}

// mirrorMembers makes mirrors of the members of an object, but for the one that
// holds the blocks.
func mirrorMembers(l *splice.Layout, slot int, object rawjson.Value, except string, blocks ...transcript.Ref) {
	for k, v := range object.Members() {
		if repeats(k, v, except) {
			l.Mirror(slot, v.Span(), false, blocks...)
		}
	}
}

// repeats reports whether a member can repeat what blocks say: one that is long
// enough, and not among the excepted, nor what identifies its object.
func repeats(key, v rawjson.Value, except ...string) bool {
	k := key.Str()
	switch k {
	case "id", "name", "type", "role", "status", "author", "invocation_id", "invocationId", "sessionId", "projectHash":
		return v.Kind() != rawjson.String
	}
	return !slices.Contains(except, k)
}

// recordNear is the last object among the records at and before an insertion.
func recordNear(c *splice.Change, i int) rawjson.Value {
	return c.Before(i, func(v rawjson.Value) bool { return v.Kind() == rawjson.Object })
}

// newRecordID is a hash of a new record, of those inserted before it, and of the
// records that it stands between.
func newRecordID(c *splice.Change, i int) []byte {
	h := sha256.New()
	for _, in := range c.Inserted[:i+1] {
		fmt.Fprintf(h, "%d\x00%s\x00", in.Record, in.Message.Role)
		for _, b := range in.Message.Blocks {
			fmt.Fprintf(h, "%s\x00", b.Text())
		}
	}
	h.Write(recordNear(c, i).Raw())
	return h.Sum(nil)
}

// geminiText is a part of text in place of media.
func geminiText(_ []byte, _ rawjson.Span, quoted []byte) []byte {
	return append(append([]byte(`{"text":`), quoted...), '}')
}
