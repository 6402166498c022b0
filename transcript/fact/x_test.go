package fact

import (
	"fmt"
	"testing"
)

func TestX(t *testing.T) {
	for _, s := range []string{"  12→foo/bar.go:12:3 error TS2345: see https://x.y/z?q=1 and/or --flag-x self.assertEqual a.b HtmlParser getFoo v1.2.3 127.0.0.1:8080 #123 0x1f3 ENOENT a_b ./cmd/x.go /home/u/p/src/a.go e.g. i.e. Hello World. node_modules/@scope/pkg key:value C:\\Users\\x\\y.txt x::y::z"} {
		Each(s, func(at int, k string) { fmt.Printf("%d:%q ", at, k) })
		fmt.Println()
	}
}
