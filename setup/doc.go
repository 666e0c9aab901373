// Package setup makes ltm at home in a project, and takes that back: the section
// of CLAUDE.md, the slash commands, and where the plugin is not active the hooks
// and the server.
//
//	CLAUDE.md                    a section between two marker lines
//	.claude/commands/*.md        whole files, each with a checksum of itself
//	.claude/ltm/README.md        likewise
//	.claude/settings.local.json  hooks, added to what stands there
//	.git/info/exclude            settings.local.json, where git would take it
//	.mcp.json                    the server, added to what stands there
//	init.json                    the record for undo, in a directory of this work tree's own
//
// [Init] and [Undo] make a plan, which is a value and changes nothing; [Plan.Run]
// carries it out, all of it or nothing. A file that cannot be merged (comments,
// broken JSON, markers that do not pair) is an error, and then no file is
// changed. What a person wrote keeps its bytes.
//
// Everything is reached through an [os.Root] of the project, so that no symbolic
// link leads out of it. [Look] alone reads elsewhere: the client's settings.
//
// The package makes no store and reads no memory.
package setup
