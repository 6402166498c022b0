package strategy

// PreparationNames returns the names of the preparations, in the order in which they run.
func PreparationNames() (names []string) {
	for _, p := range preparations {
		names = append(names, p.Name)
	}
	return names
}

// Random conversations, for external tests.
var (
	RandomConversation = randomConversation
	LateConversation   = lateConversation
)

// RandomOptions returns random options, for external tests.
var RandomOptions = randomOptions
