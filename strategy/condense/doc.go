/*
Package condense makes saved conversations smaller: one call that takes the bytes
of a file and returns the bytes of a smaller one, in the same format.

	out, err := condense.Condense(ctx, src, condense.Defaults())
	...
	os.WriteFile(name, out.Out, 0o644)

[Options] say how small, by which strategies, and what stays. A [Condenser] holds
them, ready for many sources; it may serve several goroutines at a time.
[Condenser.File] takes a source that was decoded before.

# What happens to a source

It is decoded by its format, and prepared: some formats put right what would
hinder a run. The stages of the pipeline run on each selected conversation. The
result is encoded as edits of the source, and decoded again.

An output must keep these promises, or it is not used:

  - It decodes to exactly what the strategies decided.
  - It breaks no rule that the source kept: no rule of all APIs, and none of the API
    or client that reads the format.
  - It has no more tokens than the source, in each conversation, and no more
    bytes. Hiding by tags and a new session id may add bytes.
  - Detection finds the same format in it as in the source.
  - What no edit touches has the same bytes as in the source.
  - The same source, options and functions make the same output.

A conversation that would break a promise is left as it is, and so is one that
makes a strategy fail. The others are condensed. [Outcome.Left] names those that
were left, and [Conversation.Err] has the reason. With Options.Strict, and when no
conversation could be condensed, the reason is the error of the call. An output that
would only have more bytes, or be read as another format, is no fault: its edits are
undone, with strategy.RuleOutput and the reason in [strategy.Decision]. Before that, the
run tries to keep one unit that shows the format.

# Shapes and units

Sizes are in tokens unless their names say bytes. Shares are fractions from 0 to 1.
Conversations are numbered from 0, in the order of the file; only Options.Select
counts from 1, as people do. Nothing is read or written except src and the result:
the model, the clock and the log are functions in Options.

# Errors

A *strategy.OptionError or *ConflictError names fields of Options; a *SelectError is
about Options.Select, a *format.Error about src. A *RefusedError or *strategy.StageError
is a broken promise, a *strategy.AskError a model that could not be asked.
*/
package condense
