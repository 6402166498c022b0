package source

import "context"

// step is one entry of a plan: Replace and Create are lists of these.
type step struct {
	name string
	do   func() error
}

// run takes the steps in order and stops at the first error, or when ctx is done. fault is nil
// except in tests, where it is asked before each step and can fail in its place.
func run(ctx context.Context, fault func(step string) error, plan []step) error {
	for _, s := range plan {
		if err := ctx.Err(); err != nil {
			return err
		}
		if fault != nil {
			if err := fault(s.name); err != nil {
				return err
			}
		}
		if err := s.do(); err != nil {
			return err
		}
	}
	return nil
}
