// Package atomicfile is the only writer of whole files: it writes a temporary file in the same
// directory, syncs, closes and renames it, and syncs the directory. A reader, at any moment and
// after a crash, finds either the old file or the new one.
//
// [Replace] returns once the file is on disk. [ReplaceFast] does not wait, and is for files that
// may be lost in a power failure: counters and caches. [Stage] and [StageFast] only write the
// temporary file, for callers that prepare several files before replacing the first.
//
// Temporary files are named ".NAME.HEX", with twelve hex digits, or as google/renameio names them,
// ".NAMEDIGITS". A killed process leaves them behind; [Sweep] removes them.
//
// Files are accessed through an [os.Root]. Renames wait for readers that keep a file open, see package busyfile.
// Windows cannot sync a directory: there the bytes are on disk, but the name may not be yet.
//
// google/renameio does the durable replacement, except on Windows, which it does not support. It
// cannot stage a file, or write one without waiting for the disk.
package atomicfile
