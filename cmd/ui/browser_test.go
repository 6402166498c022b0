package ui

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"condense/cmd/ui/html"
)

// A browser is a headless Chromium. The test talks to it over a pipe in the DevTools protocol, whose
// JSON messages end in a zero byte.
type browser struct {
	t       *testing.T
	to      io.Writer
	pipe    *os.File
	from    *bufio.Reader // reads pipe
	session string
	last    int
	events  []string // errors and requests of the page
}

// patience limits the time of the browser for one answer.
const patience = 60 * time.Second

// startBrowser starts Chromium, or skips the test where there is none.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("Chromium is not installed")
	}
	commands, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--remote-debugging-pipe", "--user-data-dir="+profile, "about:blank")
	c.ExtraFiles = []*os.File{commands, answers} // descriptors 3 and 4
	if err := c.Start(); err != nil {
		t.Skip("Chromium does not start: ", err)
	}
	commands.Close()
	answers.Close()
	t.Cleanup(func() {
		to.Close()
		c.Process.Kill()
		c.Wait()
		os.RemoveAll(profile) // may fail while its children still use it
	})
	b := &browser{t: t, to: to, pipe: from, from: bufio.NewReaderSize(from, 1<<20)}
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call sends a command and waits for its answer.
func (b *browser) call(method string, params any, answer any) {
	b.t.Helper()
	b.last++
	message, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if b.session == "" {
		message, err = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	}
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(message, 0)); err != nil {
		b.t.Fatal(err)
	}
	for {
		m := b.receive()
		if m.ID != b.last {
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if answer != nil {
			if err := json.Unmarshal(m.Result, answer); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// A message is an answer or an event.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  json.RawMessage
}

// receive reads a message and records the events of interest.
func (b *browser) receive() (m message) {
	b.t.Helper()
	err := b.pipe.SetReadDeadline(time.Now().Add(patience))
	if err != nil {
		b.t.Fatal(err)
	}
	data, err := b.from.ReadBytes(0)
	if err != nil {
		b.t.Fatal("the browser does not answer: ", err)
	}
	if err := json.Unmarshal(bytes.TrimSuffix(data, []byte{0}), &m); err != nil {
		b.t.Fatal(err)
	}
	switch m.Method {
	case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded":
		b.events = append(b.events, m.Method+" "+string(m.Params))
	case "Network.requestWillBeSent":
		if !bytes.Contains(m.Params, []byte(`"url":"file:`)) {
			b.events = append(b.events, "request "+string(m.Params))
		}
	}
	return m
}

// open loads a page from a file.
func (b *browser) open(page []byte) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "page.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		b.t.Fatal(err)
	}
	address := url.URL{Scheme: "file", Path: path}
	b.call("Page.navigate", map[string]any{"url": address.String()}, nil)
	for b.receive().Method != "Page.loadEventFired" {
	}
}

// eval returns the value of a JavaScript expression as text.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var answer struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &answer)
	if answer.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, answer.ExceptionDetails)
	}
	return fmt.Sprint(answer.Result.Value)
}

// is fails the test unless an expression has the wanted value.
func (b *browser) is(expression, want string) {
	b.t.Helper()
	if got := b.eval(expression); got != want {
		b.t.Errorf("%s is %q, want %q", expression, got, want)
	}
}

// press presses a key.
func (b *browser) press(key string) {
	b.t.Helper()
	code := map[string]int{"Tab": 9, "Enter": 13, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39, "PageUp": 33}[key]
	text := ""
	if key == "Enter" {
		text = "\r" // without it, the key activates nothing
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "text": text, "windowsVirtualKeyCode": code}, nil)
	}
}

// size sets the size and theme of the screen.
func (b *browser) size(width int, theme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": theme}}}, nil)
}

// quiet fails the test if a page reported errors or sent requests.
func (b *browser) quiet(name string) {
	b.t.Helper()
	b.eval("1") // all earlier events have arrived with the answer
	for _, e := range b.events {
		b.t.Errorf("%s: %s", name, e)
	}
	b.events = nil
}

// TestPagesInABrowser opens pages in a real browser. They report no error, send no request, run
// nothing of a transcript and fit the screen. The timeline works by keyboard and mouse.
func TestPagesInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := startBrowser(t)
	attack := `</script></pre></title><script>window.owned=1</script><img src="file:///nowhere" onerror="window.owned=1">" onmouseover="window.owned=1`
	for name, render := range map[string]func(io.Writer) error{
		"report": asPage(withTurns(session())), "report with an attack": asPage(withTurns(hostile(attack))),
		"stats":  func(w io.Writer) error { return html.Stats(w, usualStats(), Options{}) },
		"attack": func(w io.Writer) error { return html.Stats(w, hostileStats(attack), Options{}) },
		"batch":  batchHTML(manyFiles(60)), "batch with an attack": batchHTML(hostileBatch(attack)),
		"comparison": func(w io.Writer) error { return html.Comparison(w, recalled(), Options{}) },
	} {
		page := rendered(t, render)
		for _, width := range []int{320, 400, 1200} {
			b.size(width, "dark")
			b.open(page)
			b.is("typeof window.owned", "undefined")
			b.is("document.scripts.length + ' ' + document.images.length", "1 0")
			b.is("document.documentElement.scrollWidth <= innerWidth", "true")
			if width <= 400 {
				b.is(beyond, "")
			}
			b.quiet(fmt.Sprintf("%s at %d", name, width))
		}
	}
	b.size(1200, "light")
	b.open(rendered(t, asPage(withTurns(session()))))
	b.is("getComputedStyle(document.documentElement).backgroundColor", "rgb(253, 253, 251)")
	t.Run("keyboard", func(t *testing.T) { b.keyboard() })
	t.Run("mouse", func(t *testing.T) { b.mouse() })
	b.quiet("report")
	t.Run("sorting", func(t *testing.T) { b.sorting() })
	t.Run("search", func(t *testing.T) { b.search() })
	if dir := os.Getenv("CONDENSE_SHOTS"); dir != "" {
		b.shoot(dir)
	}
}

// keyboard walks the timeline of session, which has 75 messages and an inserted one.
func (b *browser) keyboard() {
	const strips, detail = "document.querySelector('.strips')", "document.querySelector('.detail').textContent"
	b.press("Tab")
	b.is("document.activeElement === "+strips, "true")
	b.is(strips+".getAttribute('role') + ' ' + "+strips+".getAttribute('aria-valuemax')", "slider 76")
	b.press("ArrowRight")
	b.is(detail, "message 1 · user · user · 100 → 60 tokens")
	b.is(strips+".getAttribute('aria-valuetext')", "message 1 · user · user · 100 → 60 tokens")
	b.press("ArrowLeft")
	b.is(strips+".getAttribute('aria-valuenow')", "1")
	b.press("End")
	b.is(detail, "new message · user · summaries · 0 → 41 tokens")
	b.press("Home")
	for range 13 {
		b.press("ArrowRight")
	}
	b.is("document.querySelectorAll('rect.on').length", "2") // before and after
	b.press("Enter")
	b.is("document.getElementById('c1-m14').open", "true")
	b.is("document.activeElement.parentElement.id", "c1-m14")
	b.press("Enter") // folds it again: a summary is a button
	b.is("document.getElementById('c1-m14').open", "false")
}

// mouse points at a segment, clicks it, and unfolds all messages.
func (b *browser) mouse() {
	var at [2]float64
	place := b.eval("(() => { scrollTo(0, 0); const r = document.querySelector('rect[data-m=\"c1-m20\"]').getBoundingClientRect(); return (r.x + r.width/2) + ' ' + (r.y + r.height/2) })()")
	if _, err := fmt.Sscan(place, &at[0], &at[1]); err != nil {
		b.t.Fatal(err)
	}
	b.call("Input.dispatchMouseEvent", map[string]any{"type": "mouseMoved", "x": at[0], "y": at[1]}, nil)
	if got := b.eval("document.querySelector('.detail').textContent"); !strings.HasPrefix(got, "message 20 ·") {
		b.t.Errorf("pointed at message 20, the detail shows %q", got)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		b.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1}, nil)
	}
	b.is("document.getElementById('c1-m20').open", "true")
	b.eval("document.querySelector('#fold button').click()")
	b.is("[...document.querySelectorAll('details')].every((d) => d.open)", "true")
	b.is("document.querySelector('#fold button').textContent", "Fold all")
	b.eval("document.querySelector('#fold button').click()")
	b.is("[...document.querySelectorAll('details')].some((d) => d.open)", "false")
}

// beyond is an expression for the first cells that are not whole on a narrow screen.
const beyond = `[...document.querySelectorAll("td, th, .figures div, .made")].filter((e) => {
	const r = e.getBoundingClientRect();
	return r.width > 0 && (r.left < 0 || r.right > innerWidth + 0.5 || e.scrollWidth > e.clientWidth + 1);
}).slice(0, 3).map((e) => e.textContent).join("|")`

// sorting sorts the files of a batch by a column of numbers and one of words. The sum stays at the end.
func (b *browser) sorting() {
	press := func(id string, head int) {
		b.eval(fmt.Sprintf(`document.getElementById(%q).parentElement.querySelectorAll("th button")[%d].click()`, id, head))
	}
	cells := func(id string, i int) string {
		return b.eval(fmt.Sprintf(`[...document.getElementById(%q).parentElement.querySelector("tbody").rows].map((r) => r.cells[%d].textContent).join(" ")`, id, i))
	}
	for _, width := range []int{400, 1200} {
		b.size(width, "light")
		b.open(rendered(b.t, batchHTML(manyFiles(14))))
		own := cells("statuses", 0)
		for _, want := range []string{"6 2 2 2 2 14", "2 2 2 2 6 14"} {
			if press("statuses", 1); cells("statuses", 1) != want {
				b.t.Errorf("at %d: the files by status are %q, want %q", width, cells("statuses", 1), want)
			}
		}
		b.is(`document.querySelectorAll("th[aria-sort]").length + document.querySelector("th[aria-sort]").ariaSort`, "1ascending")
		if press("statuses", 1); cells("statuses", 0) != own {
			b.t.Errorf("at %d: the third press does not restore the order: %q, want %q", width, cells("statuses", 0), own)
		}
		press("statuses", 0)
		if got := strings.Fields(cells("statuses", 0)); !slices.IsSorted(got[:len(got)-1]) || got[len(got)-1] != "total" {
			b.t.Errorf("at %d: sorted by status: %q", width, got)
		}
		b.quiet("batch")
	}
	b.open(rendered(b.t, func(w io.Writer) error { return html.Comparison(w, recalled(), Options{}) }))
	press("trials", 4) // saved, whose numbers have a minus sign and a percent sign
	got := strings.Split(cells("trials", 4), " % ")
	if !slices.IsSortedFunc(got, func(x, y string) int { return -compareFigures(x, y) }) {
		b.t.Errorf("sorted by saving: %q", got)
	}
}

// compareFigures compares numbers with a minus sign; other texts come first.
func compareFigures(x, y string) int {
	number := func(s string) float64 {
		f, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(s, " %"), "−", "-"), 64)
		if err != nil {
			return math.Inf(-1)
		}
		return f
	}
	return cmp.Compare(number(x), number(y))
}

// search searches the page of a view.
func (b *browser) search() {
	for _, width := range []int{400, 1200} {
		b.size(width, "light")
		b.open(rendered(b.t, func(w io.Writer) error { return html.View(w, someView("", ""), madeBy()) }))
		b.is("document.documentElement.scrollWidth <= innerWidth", "true")
		b.is("document.querySelector('.made code').textContent", madeBy().Command)
		all := b.eval("document.querySelectorAll('article').length")
		b.eval("(() => { const i = document.querySelector('input[type=search]'); i.value = 'OMITTED'; i.dispatchEvent(new Event('input')) })()")
		b.eval("new Promise((done) => setTimeout(done, 400))")
		b.is("[...document.querySelectorAll('article')].filter((a) => !a.hidden).every((a) => a.textContent.toLowerCase().includes('omitted'))", "true")
		b.is("[...document.querySelectorAll('article')].some((a) => !a.hidden) && [...document.querySelectorAll('article')].some((a) => a.hidden)", "true")
		b.is("document.querySelectorAll('mark').length > 0", "true")
		b.eval("document.querySelector('input[type=search]').focus()")
		b.press("Enter")
		b.is("document.querySelectorAll('mark.at').length", "1")
		b.eval("(() => { const i = document.querySelector('input[type=search]'); i.value = ''; i.dispatchEvent(new Event('input')) })()")
		b.eval("new Promise((done) => setTimeout(done, 400))")
		b.is("[...document.querySelectorAll('article')].filter((a) => !a.hidden).length", all)
		b.is("document.querySelectorAll('mark').length", "0")
		b.quiet("view")
	}
}

// shoot takes screenshots of the page for people.
func (b *browser) shoot(dir string) {
	for _, theme := range []string{"light", "dark"} {
		b.size(1200, theme)
		var shot struct{ Data string }
		b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
		data, err := base64.StdEncoding.DecodeString(shot.Data)
		if err != nil {
			b.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, theme+".png"), data, 0o644); err != nil {
			b.t.Fatal(err)
		}
	}
}
