// Package worktree looks at the files of a project that memories refer to: whether they still are what
// they were, and what git's ids of them are.
//
// References come from files that anyone may have written. So every file is opened through an [os.Root], one directory
// after another. Only regular files are opened, and only up to a size. Symbolic links, even in place of directories,
// and files of another repository, such as a submodule, are not examined, and their state is unknown. A reference never
// causes a look into git's own directory.
//
// A file is unchanged if its content has the id of the reference: as it is, with "\n" line ends, or as git-lfs keeps
// it. In these cases neither attributes nor settings of git matter. Otherwise, a filter may have produced the id: the
// one in git's index counts if the file's size and time are those that git last saw. For a line or a symbol, the
// surrounding text counts, wherever it is now in the file.
//
// Results are kept with the size, time and inode of each file, so that the next look needs only these. A look ends at
// its time limit; files that it did not get to keep their previous state, or are unknown.
package worktree
