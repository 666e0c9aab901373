// Package gittrap sets traps in git repositories, for tests: settings, hooks and attributes that
// make git start a program. Each trap starts its own program, which leaves a mark, so that a test
// can tell which traps were sprung.
//
// It only writes files. Tests run git.
package gittrap
