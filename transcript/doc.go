// Package transcript counts the work that Claude Code's own record of a session
// shows: how hard it was to learn something, for the difficulty of what was
// learned.
//
// [Read] reads what is new in the record and returns counts and a [State], with
// which the next reading goes on. It is pure: it gets a reader that stands at
// State.Offset, and opens nothing. It never fails on what stands in the record:
// lines that it cannot read are counted as such.
//
// # What is counted
//
//   - Calls: the tool_use blocks of assistant lines. What the API runs on its own
//     (server_tool_use) is none.
//   - Failures: tool_result blocks with is_error. Among them are those that no
//     hook reports: an edit whose text is not in the file, an unknown tool.
//   - Refused: tool_result blocks with is_error that say that the call did not
//     come to run, or was stopped: a person said no, a permission was missing, the
//     session was interrupted, the client gave the answer up. That is how people
//     steer and no failure of the work. Newer clients name the reason in the
//     line's toolDenialKind; for older ones their texts are known. A hook that
//     blocks a tool makes a failure.
//   - Retries: calls of a tool for a target with which this tool had failed. A
//     failure allows for one retry: fail, again, again is two if the second fails
//     too, else one. A success ends it, and so does a failure so old that 32
//     others came after it.
//   - OutputTokens: usage.output_tokens, once for each message id, however many
//     lines the answer takes; of different numbers the highest.
//   - ResultChars: the characters of text in tool_result blocks. Images and other
//     data do not count.
//   - Compactions: system lines with the subtype compact_boundary. The summary
//     that follows one (isCompactSummary) is not counted again, and a
//     microcompact_boundary, which only drops old results, is none.
//
// The target of a call is its file_path, else notebook_path, else the command's
// first words ("go test", without flags, a change of folder or variables before
// them), else pattern, else url; of a tool that has none of these it is the whole
// input, fields in any order.
//
// Lines with isSidechain are the work of subagents and counted apart.
//
// # What the client writes
//
// As versions 2.1.197 and 2.1.329 were seen to write it; the tests in
// internal/e2e hold the counts to it:
//
//   - A session resumed (--resume, --continue) is appended to the same file. Not
//     a byte before that changes.
//   - While the hooks of a call run, PostToolUse and PostToolUseFailure included,
//     its tool_use is in the file and its result is not. At SessionEnd all is.
//     Every line seen was whole.
//   - A fork (--fork-session) is a new file. It begins with copies of the lines
//     of the other session since its last compaction, that boundary included,
//     with the same uuid; some have a usage of 0. Neither lines nor hooks tell
//     reliably that they are copies (2.1.329 starts such a session with the
//     source "fork", but without the file), so a fork counts them as its own.
//   - A compaction is appended. 2.1.197 first writes again up to three of the
//     last lines, unchanged: a uuid among the last 64 counted is not counted
//     again. 2.1.329 repeats none.
//   - Subagents have a file each, in [SubagentsFolder]: agent-ID.jsonl, all lines
//     with isSidechain, read with a State of its own. The hook SubagentStop names
//     it as agent_transcript_path. In 2.1.329 an agent runs in the background
//     unless its call says run_in_background false: the call succeeds at once,
//     the file grows while the session goes on, and how the agent ended is told
//     in a message that is no result.
//   - 2.1.329 writes what it sent to the API as well, in lines of other types
//     (api-request-blob) which hold the same blocks: only lines of the types
//     assistant, user and system are looked at.
//   - Results come in lines of their own, also between the lines of one answer.
//   - When a stream breaks, the client may cut the lines of the broken answer off
//     again: see [State.Fits].
//
// # What it will not do
//
// It checks no more of a line than it needs, so a line that is broken further on
// counts. It does not judge: what counts make hard is for others to say. It does
// not know time or who the person is, and keeps no text of the session, only
// hashes of ids and targets.
package transcript
