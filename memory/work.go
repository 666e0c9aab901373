package memory

// Work counts what happened in a session while something was learned. Its difficulty is computed from it.
type Work struct {
	Calls         int    `json:"calls"`     // tool calls, including failed ones
	Failures      int    `json:"failures"`  // calls that failed
	Retries       int    `json:"retries"`   // calls that repeat one that had just failed
	Tokens        int    `json:"tokens"`    // written by the model and returned by tools; estimated if counted by hooks
	Compacted     bool   `json:"compacted"` // the context overflowed during this work
	AgentCalls    int    `json:"agent_calls,omitempty"`
	AgentFailures int    `json:"agent_failures,omitempty"`
	Source        string `json:"source"` // [SourceTranscript] or [SourceHooks]
}

// Where a [Work] was counted.
const (
	SourceTranscript = "transcript" // the client's own record of the session: complete
	SourceHooks      = "hooks"      // what hooks saw: some failures fire no hook
)

// Plus returns w and the counts of more work of the same session.
func (w Work) Plus(more Work) Work {
	w.Calls += more.Calls
	w.Failures += more.Failures
	w.Retries += more.Retries
	w.Tokens += more.Tokens
	w.AgentCalls += more.AgentCalls
	w.AgentFailures += more.AgentFailures
	return w
}

// Minus returns w less the counts of earlier, a previous state of the same session. No count falls below 0.
func (w Work) Minus(earlier Work) Work {
	w.Calls = max(0, w.Calls-earlier.Calls)
	w.Failures = max(0, w.Failures-earlier.Failures)
	w.Retries = max(0, w.Retries-earlier.Retries)
	w.Tokens = max(0, w.Tokens-earlier.Tokens)
	w.AgentCalls = max(0, w.AgentCalls-earlier.AgentCalls)
	w.AgentFailures = max(0, w.AgentFailures-earlier.AgentFailures)
	return w
}
