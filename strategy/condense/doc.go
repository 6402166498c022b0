/*
Package condense makes saved conversations smaller: one call that takes the bytes
of a file and returns the bytes of a smaller one, in the same format.

	out, err := condense.Condense(ctx, src, condense.Defaults())
	...
	os.WriteFile(name, out.Out, 0o644)

[Options] say how small, by which strategies, and what stays. A [Condenser] holds
them for many sources and goroutines. [Condenser.File] takes a decoded source.

# What happens to a source

It is decoded and prepared: some formats put right what would hinder a run. The
stages run on each selected conversation. The result is encoded and decoded again.

An output must keep these promises, or it is not used:

  - It decodes to exactly what the strategies decided.
  - It breaks no rule that the source kept, of any API or of the reader of the format:
    it has no new error. [Outcome.Warnings] lists new warnings.
  - No conversation has more tokens, and the output has no more bytes. Hiding by
    tags and a new session id may add bytes. It is detected as the same format.
  - What no edit touches has the same bytes as in the source.
  - The same source, options and functions make the same output.

A conversation that would break a promise, or that makes a strategy fail, is left as
it is: [Outcome.Left] names it, and [Conversation.Err] has the reason. With
Options.Strict, and when no conversation could be condensed, the reason is the error
of the call. Edits that only add bytes or hide the format are undone.

# Shapes and units

Sizes are in tokens unless their names say bytes. Shares are fractions from 0 to 1.
Conversations are numbered from 0; only Options.Select counts from 1, as people do.
Nothing is read or written except src and the result: the model, the clock and
the log are functions in Options.

# Errors

A *strategy.OptionError or *ConflictError names fields of Options, a *SelectError is
about Options.Select, a *format.Error about src. A *RefusedError or *strategy.StageError
is a broken promise, a *strategy.AskError a failed model.
*/
package condense
