// Package candidates finds in the record of a session what is worth a memory: what the session was for, rules that a
// person stated, causes of failures, decisions with their reasons. It is pure: the outline of a record in, at most
// [Max] candidates out, the most telling first.
//
// It judges by words and by structure, and understands nothing. What it finds is proposed to a person or a model, and
// is never stored by itself.
//
// # What counts
//
//   - a sentence of a person that begins as rules do: "always", "never", "from now on", "remember that"
//   - what a session that edited several files was asked for, in the person's words, with its list of tasks, what was
//     found out and the branch: one candidate, because several of one session would stand in the way of other sessions
//     when they are searched for
//   - of other sessions: what the model said that names a cause, a reason or a decision, more so if the same command
//     failed before it and passed after it
//   - items of a compaction's summary about errors, fixes, problems and decisions, in the same way
//
// Sentences that only report progress do not count: that tests pass, what was changed, what comes next. Neither do
// questions of the model, and slips that it made and mended.
package candidates
