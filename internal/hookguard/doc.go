// Package hookguard contains what Go's runtime does to a hook when it fails, such as without memory or threads, on a
// stack that overflows, or when two goroutines write to one map. The runtime then prints a page of text and exits with
// status 2, which means "block" to the client, and Go code cannot prevent that.
//
// The shell around a hook turns such a status into 1: see bin/ltm, and what setup registers. [Contain] is for hooks
// without a shell, as on Windows, and for what reaches standard error. It cannot help before main.
package hookguard
