package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one part of the files of a batch. The zero value is the whole batch.
type Shard struct {
	index, of int  // number of the part, from 1, and number of parts
	auto      bool // Resolve sets index, and of if it is 0
}

// ParseShard parses 3/7, auto or auto/7.
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
		return Shard{}, fmt.Errorf("expected the number of a part and the number of parts (3/7), auto or auto/7")
	}
	return sh, nil
}

// schedulers lists the variables in which schedulers number the jobs of an array. Kubernetes and
// AWS Batch count from 0, Slurm from the first number of --array.
var schedulers = []struct{ index, count, first, last string }{
	{"JOB_COMPLETION_INDEX", "", "", ""}, // an indexed Job of Kubernetes, which has no variable for the count
	{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "", ""},
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX"},
}

// Resolve returns the shard with the numbers that auto takes from the environment.
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
			step = (last - first) / (count - 1) // 10 for --array=0-30:10
		}
		s.index = (index-first)/step + 1
		switch {
		case s.of == 0:
			return s, fmt.Errorf("--shard auto: %s is set, but not the number of jobs: use --shard auto/N", v.index)
		case count > 0 && s.of != count:
			return s, fmt.Errorf("--shard auto/%d: %s says that there are %d jobs", s.of, v.count, count)
		case s.index < 1 || s.index > s.of || (index-first)%step != 0 || first+(count-1)*step != last && last > 0:
			return s, fmt.Errorf("--shard auto: %s is %d, which is none of %d evenly numbered jobs", v.index, index, s.of)
		}
		return s, nil
	}
	return s, fmt.Errorf("--shard auto: none of the variables of a scheduler is set (%s, %s, %s)",
		schedulers[0].index, schedulers[1].index, schedulers[2].index)
}

// Has reports whether a file belongs to this part. It depends only on the relative path, so all
// machines agree.
func (s Shard) Has(rel string) bool {
	if s.of == 0 {
		return true
	}
	sum := sha256.Sum256([]byte(rel))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.of) == uint64(s.index-1)
}
