// Package gitcmd runs git, and is the only package that does.
//
// A repository can come from anyone: by clone, which brings every tracked file,
// or as a copied directory, which brings .git with its configuration and hooks.
// The contract is that git, run from here, starts no program, opens no
// connection, waits for no one and writes nothing unless the caller's command
// writes:
//
//   - [Open] finds the top of the work tree without git. It refuses when .git is
//     not a git directory, when it leads into the work tree, and when the store
//     or a directory between it and the top has the shape of a git directory.
//   - Every command runs at the top and is confined to it. No directory below
//     the top is ever the working directory of a process.
//   - Only the commands in the table of this package run, with options that turn
//     off what their configuration could start.
//   - Settings that name programs are overridden, protocols are forbidden,
//     missing objects are not fetched, and optional locks are not taken.
//   - The environment loses every variable that directs git. What remains of PATH
//     are absolute directories outside of the work tree.
//   - Standard input is what the caller gives, or empty. Output and time are
//     limited; at a limit the whole process group is killed.
//
// Settings of the person and of the machine stay in effect, because the answers
// depend on them: safe.directory, core.excludesFile, core.autocrlf.
//
// The package reads no environment: the caller passes it.
package gitcmd
