// Package worktree looks at the files of a project that memories refer to: whether they still are what
// they were, and what git's ids of them are.
//
// References come from files that anyone may have written. So every file is opened through an [os.Root],
// one directory after another. Only regular files are opened, and only up to a size. Symbolic links,
// also in place of directories, and what is in another repository, such as a submodule, are left alone:
// nothing is known of them. Git's own directory is never looked into on behalf of a reference.
//
// A file is as it was if its content has the id of the reference: as it is, with "\n" line ends, or as
// git-lfs keeps it. Then neither attributes nor settings of git matter. If none of these fits, a filter
// may have made the id: the one that git's index has counts if the file is as git last saw it, by size
// and time. Of a line or a symbol, the text around it counts, wherever in the file it is now.
//
// What was found is kept with size, time and inode of each file, so that the next look needs nothing but
// these. A look ends at its time limit; what it did not get to is as it was before, or unknown.
package worktree
