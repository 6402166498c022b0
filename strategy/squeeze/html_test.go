package squeeze

import (
	"strings"
	"testing"
)

const page = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Tide tables</title>
<link rel="stylesheet" href="/assets/site.3f9c.css"><style>.tide td{padding:2px;border-bottom:1px solid #ccc}.tide th{text-align:left}</style>
<script>window.__STATE__={"user":null,"flags":["a","b"],"path":"/tides/2031"};for(let i=0;i<10;i++){console.log("<p>"+i)}</script>
</head><body class="layout layout--wide"><div class="wrap"><div class="wrap__inner"><svg viewBox="0 0 24 24"><path d="M12 2L2 7l10 5 10-5-10-5z"/></svg>
<h1 id="top">Tides of the northern harbour</h1>
<p class="lead">High water comes <b>twenty minutes later</b> than at the lighthouse; small boats should leave before the bar dries.</p>
<!-- build 8812 of the site generator, do not edit by hand, see the handbook for how -->
<div class="ad-slot" data-slot="north-1" data-size="300x250" data-refresh="30"></div><div class="ad-slot" data-slot="north-2" data-size="300x250"></div>
<table class="tide"><tr><th>Day</th><th>High</th></tr><tr><td>Monday</td><td>04:12</td></tr></table>
</div></div></body></html>
`

func TestCutHTML(t *testing.T) {
	text := &Text{Source: page}
	if !cutHTML(text) {
		t.Fatal("no page")
	}
	checkMasks(t, text, 1, func(string) {})
	out := rendered(text, readCue)
	for _, want := range []string{"Tide tables", "Tides of the northern harbour", "<b>twenty minutes later</b>", "before the bar dries", "Monday</td><td>04:12"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q was removed:\n%s", want, out)
		}
	}
	for _, noise := range []string{"__STATE__", "padding", "viewBox", "generator", "data-refresh"} {
		if strings.Contains(out, noise) {
			t.Errorf("%q is still there:\n%s", noise, out)
		}
	}
	if out := rendered(text, headingCue); !strings.Contains(out, "Tides of the northern harbour") || strings.Contains(out, "lead") {
		t.Errorf("not the headings alone:\n%s", out)
	}
}

func TestNoHTML(t *testing.T) {
	for _, source := range []string{
		"",
		"<system-reminder>\nThe list of tasks has changed.\n</system-reminder>\n" + strings.Repeat("some text ", 30),
		"<file path=\"a.go\">\n" + strings.Repeat("if a < b && c > d {\n", 20) + "</file>",
		"x < y\n" + strings.Repeat("<T>", 100),
	} {
		text := &Text{Source: source}
		if cutHTML(text) || len(text.Pieces) > 0 {
			t.Errorf("taken for a page: %q", source)
		}
	}
}

// TestPageTags checks the elements that make a text without a declaration a page, and others that do not.
func TestPageTags(t *testing.T) {
	for want, names := range map[bool]string{
		true: "html head body meta link title div span p a ul ol li table tr td th h1 h2 h3 h4 img br hr form input button label section nav " +
			"header footer main article strong em b i pre",
		false: "file example system-reminder document T h9",
	} {
		for name := range strings.FieldsSeq(names) {
			element := "<" + name + " lang=en>The harbour opens at noon.</" + name + ">\n"
			if got := isHTML("<x>" + strings.Repeat(element, 8) + "</x>"); got != want {
				t.Errorf("elements %q are a page: %v", name, got)
			}
		}
	}
}

func FuzzCutHTML(f *testing.F) {
	f.Add(page, uint64(1))
	f.Add("<?xml version=\"1.0\"?>\r\n<list>"+strings.Repeat("<item id='1'>é\u0301<![CDATA[ < ]]></item>\r\n", 20)+"</list>", uint64(2))
	f.Add("<html>"+strings.Repeat("<a href=\"x>\" title='", 30)+"<script>", uint64(3))
	f.Fuzz(func(t *testing.T, source string, seed uint64) {
		if text := (&Text{Source: source}); cutHTML(text) {
			checkMasks(t, text, seed, func(string) {})
		}
	})
}
