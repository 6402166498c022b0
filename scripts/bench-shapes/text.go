//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// text makes random texts, always the same ones.
type text struct{ r *rand.Rand }

func newText() *text { return &text{rand.New(rand.NewPCG(1, 2))} }

var words = strings.Fields(`account apply argument batch branch buffer build cache call change check class client close
 code commit config count create cursor data default delete deploy empty error event expect export fail field file filter
 find first fix flag format function give handle header import index input insert item join key last limit line list load
 lock log loop map match memory merge message metric missing model module name next node number object offset open option
 order output package page parse path point port print process query queue read record remove reply report request reset
 result retry return route rule run save scan schema send server session set shard size sort source split start state step
 stop store stream string table task test text thread time token trace track type update user value version wait write`)

func (t *text) word() string { return words[t.r.IntN(len(words))] }

// words returns n words.
func (t *text) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = t.word()
	}
	return strings.Join(list, " ")
}

// prose returns n sentences, with a blank line after every fourth.
func (t *text) prose(n int) string {
	var b strings.Builder
	for i := range n {
		s := t.words(6 + t.r.IntN(12))
		b.WriteString(strings.ToUpper(s[:1]) + s[1:] + ". ")
		if i%4 == 3 {
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

func (t *text) path() string {
	return fmt.Sprintf("/repo/src/%s/%s_%d.go", t.word(), t.word(), t.r.IntN(50))
}

// log returns n lines of a log.
func (t *text) log(n int) string {
	var b strings.Builder
	for i := range n {
		level := [...]string{"INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"}[t.r.IntN(6)]
		fmt.Fprintf(&b, "2026-03-0%dT%02d:%02d:%02d.%03dZ %-5s %s: %s %s=%d took %d ms\n",
			1+i%9, i/3600%24, i/60%60, i%60, t.r.IntN(1000), level, t.path(), t.words(4), t.word(), t.r.IntN(100000), t.r.IntN(900))
	}
	return b.String()
}

// code returns n lines of a program.
func (t *text) code(n int) string {
	var b strings.Builder
	for i := range n {
		switch i % 8 {
		case 0:
			fmt.Fprintf(&b, "func %s%s(%s int) error {\n", t.word(), t.word(), t.word())
		case 7:
			b.WriteString("}\n\n")
		default:
			fmt.Fprintf(&b, "\tif %s := %s.%s(%d); %s != nil { // %s\n", t.word(), t.word(), t.word(), t.r.IntN(99), t.word(), t.words(3))
		}
	}
	return b.String()
}

// base64 returns n characters of base64.
func (t *text) base64(n int) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	b := make([]byte, n/4*4)
	for i := range b {
		b[i] = digits[t.r.IntN(64)]
	}
	return string(b)
}

// quote returns a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string has always JSON
	}
	return string(b)
}
