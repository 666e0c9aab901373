// Package transcript counts the work in Claude Code's record of a session, from which the difficulty of a memory is
// computed.
//
// [Form.Read] reads the part that was appended to the record and returns counts and a [State], from which the next call
// continues. It is pure: it takes a reader positioned at State.Offset and opens nothing. The content of the record
// never makes it fail: lines that it cannot read are counted as unread.
//
// # What is counted
//
//   - Calls: the tool_use blocks of assistant lines. Calls that the API runs itself
//     (server_tool_use) do not count.
//   - Failures: tool_result blocks with is_error. They include failures that no hook
//     reports: an edit whose text is not in the file, an unknown tool.
//   - Refused: tool_result blocks with is_error whose call did not run or was
//     stopped: a person said no, a permission was missing, the session was
//     interrupted, the client abandoned the answer. That is how people steer, not a
//     failure of the work. Newer clients give the reason in the line's
//     toolDenialKind; for older ones the texts are known. A call blocked by a hook
//     is a failure.
//   - Retries: calls of a tool for a target with which this tool had failed. Each
//     failure allows one retry: of a failure and two more calls, both are retries if
//     the first of them fails too, otherwise only one is. A success ends it, and so
//     does the 32nd later failure of other targets.
//   - OutputTokens: usage.output_tokens, once per message id, however many lines the
//     answer has; the highest if they differ.
//   - ResultChars: the characters of text in tool_result blocks. Images and other
//     data do not count.
//   - Compactions: system lines with the subtype compact_boundary. The summary that
//     follows one (isCompactSummary) does not count, nor does a
//     microcompact_boundary, which only drops old results.
//
// The target of a call is its file_path, else its notebook_path, else the first words of its command ("go test",
// without flags, a leading change of directory or variables), else its pattern, else its url. Otherwise, it is the
// whole input, with the fields in any order.
//
// Lines with isSidechain are the work of subagents and are counted separately.
//
// # What the client writes
//
// Versions 2.1.197 and 2.1.329 were observed; tests in tests/e2e check the counts against them:
//
//   - A resumed session (--resume, --continue) is appended to the same file. No
//     earlier byte changes.
//   - While the hooks of a call run, including PostToolUse and PostToolUseFailure,
//     the file has its tool_use but not its result. At SessionEnd it has both. Every
//     line seen was complete.
//   - A fork (--fork-session) is a new file. It begins with copies of the lines of
//     the other session since its last compaction, including that boundary, with
//     the same uuid; some have a usage of 0. Neither lines nor hooks reliably
//     identify them as copies (2.1.329 starts such a session with the source "fork",
//     but without the file), so a fork counts them as its own.
//   - A compaction is appended. 2.1.197 first repeats up to three of the last lines
//     unchanged: a line whose uuid is among the last 64 counted is not counted
//     again. 2.1.329 repeats none.
//   - Each subagent has a file in [SubagentsFolder]: agent-ID.jsonl, whose lines all
//     have isSidechain, and which is read with a State of its own. The hook
//     SubagentStop names it as agent_transcript_path. In 2.1.329 an agent runs in
//     the background unless its call sets run_in_background to false: the call
//     succeeds at once, the file grows while the session continues, and the outcome
//     arrives in a message that is not a result.
//   - 2.1.329 also records what it sent to the API, in lines of other types
//     (api-request-blob) with the same blocks: only lines of the types assistant,
//     user and system are read.
//   - Results have lines of their own, also between the lines of one answer.
//   - A result contains what the model gets. The response that a hook sees can contain more: 30,000 characters of a
//     longer output, where the result has a preview; the base64 of a picture, where the result has no text; the whole
//     file for an edit. For a failed command, both have the same 10,000 characters.
//   - The payloads of hooks that a subagent's calls fire have an agent_id; those of a session that
//     was started for an agent do not.
//   - When a stream breaks, the client may truncate the lines of the broken answer:
//     see [State.Fits].
//
// # What an outline contains
//
// [Outline.Read] extracts from the same lines what a later session needs to continue: what the person asked and the
// model said, the files edited, the commands and how they ended, in order; the memories stored and the list of tasks:
//
//   - A request is a user line without results that the client does not mark as its own (isMeta, isCompactSummary, an
//     origin that is not a person), without the elements that the client and hooks add, such as <system-reminder>. A
//     commit ends the work that was asked for, unless edits or a failure follow it before the next request; /clear
//     forgets all of it.
//   - Read-only commands (ls, grep, git log) count neither way, and one that was refused did not run.
//   - A command is known to have ended if its exit status is that of the line, or if the line prints it: "make | tail"
//     exits as tail does. Otherwise what it printed says it, as far as the runners of tests and compilers are known
//     that print so. What a check prints counts against its status, too: what calls it may hide that.
//   - The end of a command in the background is in the answer of a later call, in a message of the client, or in the
//     file that its output went to.
//
// # Other clients
//
// [Form] has the records of Codex, Copilot, Gemini CLI and Qwen Code, with the same counts as far as they have them.
// None of them tells the calls of subagents apart, and there is no outline of them.
//
// # What it will not do
//
// It reads no more of a line than it needs, so a line that is broken further on still counts. It does not decide which
// counts make work hard. It does not know the time or the person. A [State] keeps no text of the session, only hashes
// of ids and targets; an [Outline] does contain text, and is meant to be passed on at once.
package transcript
