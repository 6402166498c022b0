package cmd

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"condense/cmd/batch"
	"condense/cmd/config"
	"condense/cmd/report"
)

// settings gives each item the options that hold for it, before any is begun: settings that are
// wrong are found before anything is written.
func (b *batchRun) settings(ctx context.Context) error {
	fresh := func() (*batchOptions, *pflag.FlagSet) {
		own, cmd := newBatchOptions(), &cobra.Command{}
		own.addFlags(cmd, cmd.Flags())
		return own, cmd.Flags()
	}
	ready := func(own *batchOptions, fs *pflag.FlagSet) error {
		own.run.replaces = fs.Changed("in-place")
		if err := own.run.check(""); err != nil {
			return err
		}
		return b.ready(ctx, own, fs)
	}
	options := &config.PerFile[*batchOptions]{Settings: &b.a.settings, Whole: b.o, Flags: b.a.flags(), Fresh: fresh, Ready: ready}
	for i := range b.items {
		it := b.items[i]
		var err error
		if it.o, err = options.Of(it.Path); err != nil {
			return err
		}
		b.ways = report.AddWay(b.ways, report.TokenizerOf(it.o.counter))
	}
	return nil
}

// ready makes of options what the items that they are for share. The model is one for all.
func (b *batchRun) ready(ctx context.Context, own *batchOptions, fs *pflag.FlagSet) (err error) {
	if b.asking != nil && own.run.use {
		own.run.client = b.asking.client
	}
	if own.counter, err = own.run.ready(ctx, b.a); err != nil {
		return err
	}
	if own.run.client != nil {
		b.asking = &own.run.llmOptions
	}
	own.hash = hashFlags(fs, undeciding())
	b.own = append(b.own, own)
	return nil
}

// hashFlags names the flags that decide what comes out: all but those of leave.
func hashFlags(fs *pflag.FlagSet, leave map[string]bool) string {
	return batch.HashOf([]byte(config.FlagValues(fs, leave)))
}
