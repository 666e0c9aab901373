// Package gittrap sets traps in git repositories, for tests: settings, hooks and
// attributes that ask git to start a program. Each trap starts a program of its
// own that leaves a mark, so that a test can tell which of them were sprung.
//
// It writes files only. Tests run git.
package gittrap
