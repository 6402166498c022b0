package bpe

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"syscall"
	"testing"
)

func cpu() float64 {
	var r syscall.Rusage
	syscall.Getrusage(1, &r)
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func TestSpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip()
	}
	runtime.LockOSThread()
	files, _ := filepath.Glob("/tmp/engine-bench/*.txt")
	for _, e := range []*Encoding{O200kBase(), CL100kBase()} {
		for _, f := range files {
			data, _ := os.ReadFile(f)
			s := string(data)
			for len(s) < 1000000 {
				s += s
			}
			var all []float64
			n := 0
			for range 9 {
				start := cpu()
				n = e.Count(s)
				all = append(all, float64(len(s))/1e6/(cpu()-start))
			}
			sort.Float64s(all)
			fmt.Printf("%-16s %7d KB %8d tokens  median %6.1f max %6.1f MB/s\n", filepath.Base(f), len(s)>>10, n, all[len(all)/2], all[len(all)-1])
		}
	}
}
