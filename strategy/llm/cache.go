package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"

	"condense/strategy/notes"
)

// entry is an answer in the cache: DIR/ab/abcdef….json. It holds its key, so that a
// file under a wrong name is not used.
type entry struct {
	Key  string
	Text string
	Sum  string // hash of Text
	In   int
	Out  int
}

// cacheKey returns a hash of everything that the answer depends on; "" without a
// cache.
func (c *Client) cacheKey(p notes.Prompt) string {
	if c.cfg.Cache == "" {
		return ""
	}
	const version = 2 // of the other inputs: sampling, and the treatment of answers
	data, err := json.Marshal([]any{version, c.base, c.cfg.Model, c.cfg.Temperature, p.System, p.Text, p.Answer, p.Again, p.MaxTokens})
	if err != nil {
		panic(err) // strings and numbers
	}
	return hashOf(string(data))
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (c *Client) cachePath(key string) string {
	return filepath.Join(c.cfg.Cache, key[:2], key+".json")
}

// cached returns an answer from the cache. A file that is unreadable or incomplete
// counts as missing.
func (c *Client) cached(key string) (notes.Reply, bool) {
	if key == "" {
		return notes.Reply{}, false
	}
	f, err := os.Open(c.cachePath(key))
	if err != nil {
		return notes.Reply{}, false
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 2*maxBody))
	var e entry
	if err != nil || json.Unmarshal(data, &e) != nil || e.Key != key || e.Text == "" || e.Sum != hashOf(e.Text) {
		return notes.Reply{}, false
	}
	return notes.Reply{Text: e.Text, In: e.In, Out: e.Out, Cost: c.cfg.Price.of(0, 0), Cached: true}, true
}

// store writes an answer to the cache, readable by its owner alone. Incomplete answers
// and refusals are not stored. A cache that cannot be written is not an error, because the answer
// is there.
func (c *Client) store(key string, reply notes.Reply) {
	if key == "" || reply.Cut || reply.Refused {
		return
	}
	path := c.cachePath(key)
	data, err := json.Marshal(entry{key, reply.Text, hashOf(reply.Text), reply.In, reply.Out})
	if err != nil || os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".entry-*") // 0600
	if err != nil {
		return
	}
	defer os.Remove(f.Name()) // unless it gets its name; an incomplete file would not be used either
	_, err = f.Write(data)
	if errors.Join(err, f.Close()) == nil {
		_ = os.Rename(f.Name(), path)
	}
}
