// Package atomicfile is the one writer of whole files: a temporary file in the same
// directory, fsync, close, rename, and fsync of the directory. A reader, and a crash
// at any moment, finds the old file or the new one.
//
// [Replace] returns when the file is on the disk. [ReplaceFast] does not wait and is
// for what may be lost with the power: counters and caches. [Stage] and [StageFast]
// write the temporary file alone, for callers that prepare several files before the
// first takes its place.
//
// Temporary files are named ".NAME.HEX", with twelve hex digits. A killed process
// leaves them behind; [Sweep] removes them.
//
// Files are reached through an [os.Root]. Renames wait for readers that keep a file
// busy, as package busyfile has it. Windows has no way to sync a directory: there
// the bytes are on the disk, and the name follows.
//
// The package is used in place of google/renameio because that does not exist for
// Windows, always waits for the disk, and puts the temporary file of an [os.Root]
// into the root instead of beside the file.
package atomicfile
