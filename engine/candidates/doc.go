// Package candidates finds in the record of a session what is worth a memory: rules that a person stated, causes of
// failures, decisions with their reasons. It is pure: the outline of a record in, at most [Max] candidates out, the
// most telling first.
//
// It judges by words and by structure, and understands nothing. What it finds is proposed to a person or a model, and
// is never stored by itself.
//
// # What counts
//
//   - a sentence of a person that begins as rules do: "always", "never", "from now on", "remember that"
//   - what the model said that names a cause, a reason or a decision, more so if a command had just failed, and most if
//     the same command passed after it
//   - the sections of a compaction's summary about errors, fixes, problems and decisions
//
// Lines that only report progress do not count: that tests pass, what was committed, what comes next.
package candidates
