// Package setup adds ltm to a project and removes it again: the section of CLAUDE.md, the slash commands, and the hooks
// and the server unless the plugin is active.
//
//	CLAUDE.md                    a section between two marker lines
//	.claude/commands/*.md        whole files, each with a checksum of itself
//	.claude/ltm/README.md        likewise
//	.claude/settings.local.json  hooks, added to what is there
//	.claude/settings.json        hooks of a team, in its place
//	.git/info/exclude            settings.local.json, unless git ignores it
//	.mcp.json                    the server, added to what is there
//	AGENTS.md, .codex, …         what other clients read: see [ltm/clients]
//	init.json                    the record for undo, in a directory of this work tree alone
//
// [Init] and [Undo] make a plan, which is a value and changes nothing; [Plan.Run] carries it out, all of it or nothing.
// A file that cannot be merged (comments, broken JSON, markers that do not pair) is an error, and then no file is
// changed. Text that a person wrote is kept byte for byte.
//
// In the other work trees of a clone, a plan covers only the hooks: see [Options].By.
//
// All files of a project are accessed through an [os.Root], so that no symbolic link leads out of it. Only [Look] reads
// elsewhere: the client's settings.
//
// The package does not create a store or read memories.
package setup
