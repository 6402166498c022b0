package strategy

// Hybrid is the pipeline of the preset of that name, cheap and safe stages first. Each
// stage runs only while the conversation is over the budget.
var Hybrid = []*Strategy{
	&Dedupe, // loses nothing that is not elsewhere in the conversation
	&Smart,  // loses the detail that is least likely to be needed
}

// The name of the preset, and a sentence about it.
const (
	HybridName = "hybrid"
	HybridDoc  = "dedupe, then smart-compress, each only while still over the target"
)
