// Package gitcmd runs git. No other package does.
//
// A repository can come from anyone: by clone, which brings every tracked file, or as a copied directory, which brings
// .git with its configuration and hooks. The contract is that git, when this package runs it, starts no program, opens
// no connection, waits for no input, and writes nothing unless the caller's command does:
//
//   - [Open] finds the top of the work tree without git. It refuses when .git is
//     not a git directory, when it leads into the work tree, and when the store
//     or a directory between it and the top has the shape of a git directory.
//   - Every command runs at the top and is confined to it. No directory below
//     the top is ever the working directory of a process.
//   - Only the commands in the table of this package are run, with options that
//     disable the programs that configuration could add to them.
//   - Settings that name programs are overridden, protocols are forbidden,
//     missing objects are not fetched, and optional locks are not taken.
//   - Variables that direct git are removed from the environment, and PATH keeps
//     only absolute directories outside of the work tree.
//   - Standard input is what the caller gives, or empty. Output and time are
//     limited; at a limit the whole process group is killed.
//
// Settings of the user and of the machine stay in effect, because the answers depend
// on them: safe.directory, core.excludesFile, core.autocrlf.
//
// The package does not read the environment: the caller passes it.
package gitcmd
