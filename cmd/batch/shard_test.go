package batch

import (
	"strings"
	"testing"
)

func TestShard(t *testing.T) {
	for text, want := range map[string]Shard{
		"1/1": {index: 1, of: 1}, "3/7": {index: 3, of: 7}, "auto": {auto: true}, "auto/7": {of: 7, auto: true},
	} {
		if got, err := ParseShard(text); err != nil || got != want {
			t.Errorf("%q is %+v and %v, want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "3", "0/7", "8/7", "-1/7", "a/7", "3/", "3/7/9", "auto/0", "auto/x", "1/-1"} {
		if got, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), "3/7") || !strings.Contains(err.Error(), "auto or auto/7") {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
}

func TestShardOfAScheduler(t *testing.T) {
	type vars map[string]string
	slurm := func(id, count, first, last string) vars {
		return vars{"SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_MIN": first, "SLURM_ARRAY_TASK_MAX": last}
	}
	for _, c := range []struct {
		text      string
		env       vars
		index, of int // 0 for an error
	}{
		{"2/3", vars{"JOB_COMPLETION_INDEX": "0"}, 2, 3},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "0"}, 1, 7},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "6"}, 7, 7},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "7"}, 0, 0},
		{"auto", vars{"JOB_COMPLETION_INDEX": "0"}, 0, 0},
		{"auto/7", vars{"JOB_COMPLETION_INDEX": "x"}, 0, 0},
		{"auto", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 4, 4},
		{"auto/4", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 4, 4},
		{"auto/5", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3", "AWS_BATCH_JOB_ARRAY_SIZE": "4"}, 0, 0},
		{"auto/5", vars{"AWS_BATCH_JOB_ARRAY_INDEX": "3"}, 4, 5},
		{"auto", slurm("1", "4", "1", "4"), 1, 4},
		{"auto", slurm("4", "4", "1", "4"), 4, 4},
		{"auto", slurm("0", "4", "0", "3"), 1, 4},
		{"auto", slurm("20", "4", "0", "30"), 3, 4},
		{"auto", slurm("5", "1", "5", "5"), 1, 1},
		{"auto", slurm("9", "3", "1", "9"), 3, 3},
		{"auto", slurm("7", "3", "1", "7"), 3, 3},
		{"auto", slurm("2", "3", "1", "9"), 0, 0},
		{"auto", slurm("9", "4", "1", "9"), 0, 0},
		{"auto", vars{}, 0, 0},
	} {
		s, err := ParseShard(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Resolve(func(name string) string { return c.env[name] })
		if (err != nil) != (c.of == 0) || err == nil && (got.index != c.index || got.of != c.of) {
			t.Errorf("%s with %v: %d of %d and %v, want %d of %d", c.text, c.env, got.index, got.of, err, c.index, c.of)
		}
	}
}

// TestShardsAreAPartition checks that every file is in exactly one shard, and that the shards have
// about the same size.
func TestShardsAreAPartition(t *testing.T) {
	const files, shards = 7000, 7
	count := make([]int, shards+1)
	for i := range files {
		in := 0
		for n := 1; n <= shards; n++ {
			if (Shard{index: n, of: shards}).Has("sessions/" + strings.Repeat("a", i%50) + string(rune('0'+i/50))) {
				in++
				count[n]++
			}
		}
		if in != 1 {
			t.Fatalf("file %d is in %d shards", i, in)
		}
	}
	for n, c := range count[1:] {
		if c < files/shards/2 || c > files/shards*2 {
			t.Errorf("shard %d has %d files of %d", n+1, c, files)
		}
	}
	if !(Shard{index: 5, of: 7}).Has("a/session.jsonl") {
		t.Error("a file has moved to another shard than in earlier versions, the fifth")
	}
}
