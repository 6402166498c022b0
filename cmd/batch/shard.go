package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one part of the files of a batch; zero: all of them.
type Shard struct {
	index, of int  // index counts from 1
	auto      bool // index, and of where it is 0, are for the environment to tell
}

// ParseShard reads 3/7, auto, and auto/7.
func ParseShard(s string) (Shard, error) {
	index, of, parts := strings.Cut(s, "/")
	var sh Shard
	var err error
	if parts {
		if sh.of, err = strconv.Atoi(of); err != nil || sh.of < 1 {
			return Shard{}, fmt.Errorf("expected 3/7, auto or auto/7")
		}
	}
	if index == "auto" {
		sh.auto = true
		return sh, nil
	}
	if sh.index, err = strconv.Atoi(index); err != nil || !parts || sh.index < 1 || sh.index > sh.of {
		return Shard{}, fmt.Errorf("expected a number from 1 and how many there are (3/7), auto or auto/7")
	}
	return sh, nil
}

// schedulers number the jobs of an array in these variables. Kubernetes and AWS Batch count
// from 0; Slurm from where --array says.
var schedulers = []struct{ index, count, first, last string }{
	{"JOB_COMPLETION_INDEX", "", "", ""}, // Kubernetes, an indexed Job: how many there are, it does not tell
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "", ""},
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"},
}

// Resolve asks the environment for what auto leaves open.
func (s Shard) Resolve(env func(string) string) (Shard, error) {
	if !s.auto {
		return s, nil
	}
	for _, v := range schedulers {
		if env(v.index) == "" {
			continue
		}
		number := func(name string) (n int, err error) {
			if name == "" || env(name) == "" {
				return 0, nil
			}
			if n, err = strconv.Atoi(env(name)); err != nil {
				err = fmt.Errorf("--shard auto: %s is %q, not a number", name, env(name))
			}
			return n, err
		}
		index, err1 := number(v.index)
		count, err2 := number(v.count)
		first, err3 := number(v.first)
		last, err4 := number(v.last)
		for _, err := range []error{err1, err2, err3, err4} {
			if err != nil {
				return s, err
			}
		}
		if s.of == 0 {
			s.of = count
		}
		step := 1
		if count > 1 && last > first {
			step = (last - first) / (count - 1) // of --array=0-30:10
		}
		s.index = (index-first)/step + 1
		switch {
		case s.of == 0:
			return s, fmt.Errorf("--shard auto: %s is set, but not how many jobs there are: --shard auto/N says so", v.index)
		case count > 0 && s.of != count:
			return s, fmt.Errorf("--shard auto: there are %d jobs by %s, not %d", count, v.count, s.of)
		case s.index < 1 || s.index > s.of || (index-first)%step != 0 || first+(count-1)*step != last && last > 0:
			return s, fmt.Errorf("--shard auto: %s is %d, which is none of %d jobs in a row", v.index, index, s.of)
		}
		return s, nil
	}
	return s, fmt.Errorf("--shard auto: none of the variables of a scheduler is set (%s, %s, %s)",
		schedulers[0].index, schedulers[1].index, schedulers[2].index)
}

// Has reports whether a file is of this part: by its relative path alone, so that every machine
// says the same.
func (s Shard) Has(rel string) bool {
	if s.of <= 1 {
		return true
	}
	sum := sha256.Sum256([]byte(rel))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.of) == uint64(s.index-1)
}
