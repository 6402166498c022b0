//go:build unix

// Bench-tokens compares the speed of tokenizers: package bpe, tiktoken-go and, with -peers,
// OpenAI's tiktoken (WebAssembly) and gpt-tokenizer.
//
//	go run ./scripts/bench-tokens [-peers FOLDER] [-encoding cl100k_base] [-passes 5] [FILE...]
//
// Each FILE is a text in addition to the generated ones. FOLDER has the node modules of npm
// install tiktoken@1.0.22 gpt-tokenizer, and must be outside of the project. Numbers are
// megabytes (10^6 bytes) per second of processor time, the median of all passes. Start the
// program with taskset -c 0 to use only one core.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"

	"condense/transcript/token/bpe"
)

// slow is the greatest number of bytes of a text that slow tokenizers get.
const slow = 400_000

func main() {
	log.SetFlags(0)
	peers := flag.String("peers", "", "folder of node modules with tiktoken and gpt-tokenizer")
	name := flag.String("encoding", "o200k_base", "o200k_base or cl100k_base")
	passes := flag.Int("passes", 5, "number of passes, of which the median is printed")
	flag.Parse()
	runtime.GOMAXPROCS(1)

	ours := bpe.O200kBase()
	if *name == "cl100k_base" {
		ours = bpe.CL100kBase()
	}
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	theirs, err := tiktoken.GetEncoding(*name)
	if err != nil {
		log.Fatal(err)
	}
	texts, err := ordinary()
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range flag.Args() {
		data, err := os.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		texts = append(texts, named{filepath.Base(path), string(data)})
	}
	others, err := askPeers(*peers, *name, texts)
	if err != nil {
		log.Fatal(err)
	}

	fmt.Printf("%-9s %8s %9s %8s %12s %7s %14s %15s\n", *name, "bytes", "MB/s", "allocs", "tiktoken-go", "ratio", "npm tiktoken", "gpt-tokenizer")
	for i, t := range texts {
		o := measure(t.text, *passes, ours.Count)
		short := cut(t.text, slow)
		ref := measure(short, min(3, *passes), func(s string) int { return len(theirs.EncodeOrdinary(s)) })
		want := ours.Count(short)
		fmt.Printf("%-9s %8d %9.1f %8.1f %12.2f %6.1fx", t.name, len(t.text), o.speed, o.allocs, ref.speed, o.speed/ref.speed)
		differs := ref.tokens != want
		if others != nil {
			fmt.Printf(" %14.1f %15.1f", others[i][0].Speed, others[i][1].Speed)
			differs = differs || others[i][0].Tokens != want || others[i][1].Tokens != want
		}
		if differs {
			fmt.Print("  COUNTS DIFFER")
		}
		fmt.Println()
	}
	fmt.Printf("\none megabyte, then two, of      s       s   ratio    MB/s\n")
	for _, t := range hostile(1 << 20) {
		one, two := doubled(t.text, ours.Count)
		fmt.Printf("%-24s %8.4f %7.4f %7.2f %7.1f\n", t.name, one, two, two/one, float64(len(t.text))/1e6/one)
	}
}

// measured holds the results for one text: seconds for a pass, megabytes per second,
// allocations per pass, and the number of tokens.
type measured struct {
	seconds, speed, allocs float64
	tokens                 int
}

// measure returns the median of passes. It makes one pass before to warm up.
func measure(text string, passes int, count func(string) int) measured {
	m := measured{tokens: count(text)}
	var times []float64
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range passes {
		start := processor()
		count(text)
		times = append(times, processor()-start)
	}
	runtime.ReadMemStats(&after)
	slices.Sort(times)
	m.seconds = times[len(times)/2]
	m.speed = float64(len(text)) / 1e6 / m.seconds
	m.allocs = float64((after.Mallocs - before.Mallocs) / uint64(passes))
	return m
}

// doubled returns the seconds for a text, and for the text repeated twice. It alternates
// passes for two seconds and returns the fastest of each, because disturbances can only make
// a pass slower.
func doubled(text string, count func(string) int) (one, two float64) {
	twice := text + text
	one, two = math.Inf(1), math.Inf(1)
	for start := processor(); processor() < start+2; {
		begin := processor()
		count(text)
		middle := processor()
		count(twice)
		one, two = min(one, middle-begin), min(two, processor()-middle)
	}
	return one, two
}

// processor returns the seconds of processor time that this process has used.
func processor() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		log.Fatal(err)
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// cut returns the longest prefix of s of at most n bytes that ends after a whole character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// answer is the result of peers.mjs for a text.
type answer struct {
	Speed  float64 `json:"speed"`
	Tokens int     `json:"tokens"`
}

// askPeers returns the results of tiktoken and gpt-tokenizer for each text, or nil.
func askPeers(modules, encoding string, texts []named) ([][2]answer, error) {
	if modules == "" {
		return nil, nil
	}
	dir, err := os.MkdirTemp("", "bench-tokens")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"scripts/bench-tokens/peers.mjs", encoding}
	for _, t := range texts {
		file := filepath.Join(dir, t.name)
		if err := os.WriteFile(file, []byte(cut(t.text, slow)), 0o600); err != nil {
			return nil, err
		}
		args = append(args, file)
	}
	cmd := exec.Command("node", args...)
	cmd.Env, cmd.Stderr = append(os.Environ(), "NODE_PATH="+modules), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	var answers [][2]answer
	return answers, json.NewDecoder(bytes.NewReader(out)).Decode(&answers)
}
