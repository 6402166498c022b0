package chronicle

import (
	"os"
	"strconv"
)

func knob(name string, v float64) float64 {
	if s := os.Getenv("K_" + name); s != "" {
		v, _ = strconv.ParseFloat(s, 64)
	}
	return v
}

var (
	looseCalls    = knob("loosecalls", 0) > 0
	looseValue    = knob("loosevalue", 0.5)
	bareWords     = int(knob("bare", 2))
	lineShare     = knob("line", 0.8)
	again         = knob("again", .4)
	worthOutput   = knob("output", 0.0005)
	worthThought  = knob("thought", 0.001)
	worthSaid     = knob("said", 0.005)
	worthInjected = 0.001
	worthClosing  = knob("closing", 0.01)
	worthCue      = knob("cue", 0.03)
	worthLabel    = knob("label", 0.6)
	lastTurnBonus = knob("last", 1.5)
	mostQuotes    = int(knob("quotes", 40))
	pieceShare    = knob("piece", 0.6)
	roundsPart    = knob("rounds", 1.0/3)
	closingShare  = knob("closingshare", 0.35)
	labelShare    = knob("labelshare", 0.2)
	signalShare   = knob("signal", 0.15)
	quoteCost     = knob("quotecost", 0.7)
	regionValue   = knob("region", 0.8)
)
