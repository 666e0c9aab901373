package memory

// Work is what was counted while something was learned: the ground for its
// difficulty.
type Work struct {
	Calls         int    `json:"calls"`     // of tools, failed ones included
	Failures      int    `json:"failures"`  // calls that failed
	Retries       int    `json:"retries"`   // calls for what had failed just before
	Tokens        int    `json:"tokens"`    // that the model wrote and tools gave back; from hooks an estimate
	Compacted     bool   `json:"compacted"` // the context overflowed in this work
	AgentCalls    int    `json:"agent_calls,omitempty"`
	AgentFailures int    `json:"agent_failures,omitempty"`
	Source        string `json:"source"` // [SourceTranscript] or [SourceHooks]
}

// Where a [Work] was counted.
const (
	SourceTranscript = "transcript" // the client's own record of the session: complete
	SourceHooks      = "hooks"      // what hooks saw: some failures fire none
)

// Minus returns the counts of w that are not in earlier, an earlier state of the
// same session.
func (w Work) Minus(earlier Work) Work {
	w.Calls = max(0, w.Calls-earlier.Calls)
	w.Failures = max(0, w.Failures-earlier.Failures)
	w.Retries = max(0, w.Retries-earlier.Retries)
	w.Tokens = max(0, w.Tokens-earlier.Tokens)
	w.AgentCalls = max(0, w.AgentCalls-earlier.AgentCalls)
	w.AgentFailures = max(0, w.AgentFailures-earlier.AgentFailures)
	return w
}
