package bpe

import (
	"bufio"
	"encoding/binary"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"testing"
)

var nodeModules = flag.String("node", "", "folder of node modules with tiktoken: compare -random texts with it")

// TestReference compares with OpenAI's own tiktoken, which has all characters but is too slow for
// every run of the tests: see scripts/fuzz-tokens.
func TestReference(t *testing.T) {
	if *nodeModules == "" {
		t.Skip("no -node")
	}
	cmd := exec.Command("node", "../../../scripts/gen-vocab/answer.mjs")
	cmd.Env, cmd.Stderr = append(os.Environ(), "NODE_PATH="+*nodeModules), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const batch = 1000
	both := encodings()
	r := rand.New(rand.NewPCG(*seed, 0))
	texts := make([]string, batch)
	answers := bufio.NewReaderSize(out, 1<<20)
	for done := 0; done < *random && !t.Failed(); done += batch {
		if done%(100*batch) == 0 {
			t.Log(done, "texts so far")
		}
		var question []byte
		for i := range texts {
			texts[i] = randomText(r)
			valid := string([]rune(texts[i])) // node would make fewer U+FFFD of broken bytes
			question = binary.LittleEndian.AppendUint32(question, uint32(len(valid)))
			question = append(question, valid...)
		}
		if _, err := in.Write(question); err != nil {
			t.Fatal(err)
		}
		for _, s := range texts {
			for _, e := range both {
				want := readTokens(t, answers)
				if got := e.AppendTokens(nil, s); !slices.Equal(got, want) {
					t.Errorf("%s: %q is %v, want %v", e.name, s, first(got), first(want))
				}
				if n := e.Count(s); n != len(want) {
					t.Errorf("%s counts %d in %q, want %d", e.name, n, s, len(want))
				}
			}
		}
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

func readTokens(t *testing.T, from io.Reader) []uint32 {
	t.Helper()
	var n uint32
	if err := binary.Read(from, binary.LittleEndian, &n); err != nil {
		t.Fatal(err)
	}
	tokens := make([]uint32, n)
	if err := binary.Read(from, binary.LittleEndian, tokens); err != nil {
		t.Fatal(err)
	}
	return tokens
}
