package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/fsouza/fake-gcs-server/fakestorage"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
)

// A store is a file system of Beam, which a test reads and writes without the code of the pipeline.
type store struct {
	t *testing.T
	filesystem.Interface
	bucket string // with its scheme
}

// googleStore returns a bucket of a server that speaks the protocol of Google Cloud Storage.
func googleStore(t *testing.T) *store {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := listener.Addr().String()
	objects, err := fakestorage.NewServerWithOptions(fakestorage.Options{
		NoListener: true, Scheme: "http", PublicHost: host, ExternalURL: "http://" + host,
	})
	if err != nil {
		t.Fatal(err)
	}
	objects.CreateBucketWithOpts(fakestorage.CreateBucketOpts{Name: "rows"})
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: objects.HTTPHandler()}}
	server.Start()
	t.Cleanup(server.Close)
	t.Setenv("STORAGE_EMULATOR_HOST", host)
	return newStore(t, "gs://rows")
}

// amazonStore returns a bucket of a server that speaks the protocol of S3.
func amazonStore(t *testing.T) *store {
	t.Helper()
	objects := s3mem.New()
	if err := objects.CreateBucket("rows"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(objects).Server())
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL_S3": server.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull, "AWS_EC2_METADATA_DISABLED": "true",
	} {
		t.Setenv(name, value)
	}
	return newStore(t, "s3://rows")
}

func newStore(t *testing.T, bucket string) *store {
	t.Helper()
	fs, err := filesystem.New(context.Background(), bucket+"/x")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := fs.Close(); err != nil {
			t.Error(err)
		}
	})
	return &store{t, fs, bucket}
}

// put writes an object.
func (s *store) put(name string, data []byte) {
	s.t.Helper()
	w, err := s.OpenWrite(context.Background(), s.bucket+"/"+name)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		s.t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		s.t.Fatal(err)
	}
}

// tree returns the objects of a folder that a glob matches, by their names below it.
func (s *store) tree(folder, glob string) map[string]string {
	s.t.Helper()
	paths, err := s.List(context.Background(), folder+"/"+glob)
	if err != nil {
		s.t.Fatal(err)
	}
	objects := map[string]string{}
	for _, p := range paths {
		data, err := filesystem.Read(context.Background(), s, p)
		if err != nil {
			s.t.Fatal(err)
		}
		objects[strings.TrimPrefix(p, folder+"/")] = string(data)
	}
	return objects
}

// TestStores condenses objects of a server for each protocol into objects of the same server, twice, and compares them
// with the output of filter.
func TestStores(t *testing.T) {
	table, err := os.ReadFile(tables + "trajectories.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for name, newStore := range map[string]func(*testing.T) *store{"gs": googleStore, "s3": amazonStore} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			rows := fixtures(t, 200)
			s.put("in/rows.jsonl", rows)
			s.put("in/table.parquet", table)
			out := s.bucket + "/out"
			j := &job{inputs: s.bucket + "/in/*", output: out + "/", partSize: 50000, settings: settings{{"target", "40%"}}}
			run(t, j)
			first := s.tree(out, "*")
			run(t, j)
			again := s.tree(out, "*")

			want, _ := filtered(t, rows, "--target", "40%")
			parts := int64(len(rows)+49999) / 50000
			if got := joined(again, "rows-"); got != want || parts < 3 || again[fmt.Sprintf("rows-%05d-of-%05d.jsonl", parts-1, parts)] == "" {
				t.Errorf("%d bytes of rows, filter writes %d", len(got), len(want))
			}
			checkDeadLetters(t, rows, s.bucket+"/in/rows.jsonl", want, s.tree(out, "dead-letters/rows-*"))
			path := save(t, filepath.Join(t.TempDir(), "table.parquet"), table)
			if want, _ := filtered(t, nil, "--target", "40%", path); again["table-00000-of-00001.parquet"] != want || len(want) == len(table) {
				t.Errorf("%d bytes of Parquet, filter writes %d of %d", len(again["table-00000-of-00001.parquet"]), len(want), len(table))
			}
			for name, text := range first {
				if again[name] != text || len(first) != len(again) {
					t.Errorf("%s is another object after the second run, of %d and %d", name, len(first), len(again))
				}
			}
			j.partSize = 100000
			if err := j.run(context.Background()); err == nil || !strings.Contains(err.Error(), "is of another run") {
				t.Errorf("other parts beside those of the earlier run: %v", err)
			}
		})
	}
}

// TestLargeObjects writes an object that the protocols transfer in pieces.
func TestLargeObjects(t *testing.T) {
	random := rand.NewChaCha8([32]byte{})
	data := make([]byte, 17<<20)
	if _, err := random.Read(data); err != nil {
		t.Fatal(err)
	}
	for name, newStore := range map[string]func(*testing.T) *store{"gs": googleStore, "s3": amazonStore} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			p := s.bucket + "/out/large.parquet"
			if err := write(context.Background(), s.bucket+"/out", p, data); err != nil {
				t.Fatal(err)
			}
			got, err := filesystem.Read(context.Background(), s, p)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
			}
			if found, err := s.List(context.Background(), s.bucket+"/out/*"); err != nil || !slices.Equal(found, []string{p}) {
				t.Errorf("objects %q, %v", found, err)
			}
		})
	}
}
