// Package busyfile renames, removes and opens files that another process may have open.
//
// Windows does not rename or remove a file while another program has it open without sharing the right to delete: a
// virus scanner, an indexer, an editor. It does not open a file for reading while a program that shares nothing has it
// open, such as an editor that is saving. Both last only moments, so these calls are retried for a bounded time and
// then return the last error. Other systems never refuse, and there each call is made once.
//
// The package does not wait for locks and does not retry calls that failed for another reason.
package busyfile
