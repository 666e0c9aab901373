// Package scan reads a directory of memory files and caches the results, for this process and for the next.
//
// A [Dir] reads a file again only if its size or time of modification differ from the last look, or in one process the
// time of its last change, which no program can set. A time within the resolution of the file system's clock is not
// trusted. A quick look trusts the times of the directory instead, and can miss edits in place.
//
// The results of a look are left in a cache file for other processes. A cache can be damaged, or written by someone
// else, so its contents are checked.
//
// The package takes no lock and writes nothing but its cache.
package scan
