package chronicle

import (
	"fmt"
	"os"
)

func (c *choice) debug() {
	if os.Getenv("K_DEBUG") == "" {
		return
	}
	sum := map[string]float64{}
	val := map[string]float64{}
	names := [...]string{"group", "piece", "whole", "real", "label", "old"}
	forms := [...]string{"prose", "result", "hunks", "frame"}
	for i := range c.items {
		x := &c.items[i]
		if !x.kept {
			continue
		}
		n := names[x.kind]
		if x.kind <= pieceItem {
			n += " " + forms[c.texts[x.at].form]
			if c.texts[x.at].closing {
				n += " closing"
			}
			if c.texts[x.at].step >= 0 {
				n += fmt.Sprint(" real=", c.steps[c.texts[x.at].step].real)
			}
		}
		if x.kind == labelItem && c.steps[x.at].real {
			n += " real"
		}
		sum[n] += x.size
		for _, f := range c.facts[x.from:x.to] {
			val[n] += c.Worth[f]
		}
	}
	total := 0.0
	for n, v := range sum {
		fmt.Fprintf(os.Stderr, "%-40s %8.0f  value/token %.2f\n", n, v, val[n]/v)
		total += v
	}
	fmt.Fprintf(os.Stderr, "base %d budget %d items %.0f\n", c.base, c.Budget, total)
}
