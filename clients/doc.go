// Package clients has what ltm knows of the agents that it works with: for each, in a file of its own, a [Client] that
// says how its hooks name events and fields, which answer they read, and where it keeps its records.
//
// It is data and small pure functions over it: bytes in, bytes out. It reads no file and no environment, and does not
// call the engine; package hooks does what an event asks for.
//
// What the tables say was seen with these versions: Claude Code 2.1.329, Codex 0.169.0, Copilot 1.0.102, Gemini 0.61.0,
// opencode 1.18.33, Kilo 7.7.9 and Qwen Code 0.24.4. VS Code and Cursor are described by their documentation alone.
package clients
