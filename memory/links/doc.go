// Package links computes how memories are linked: which supersedes which, which dispute each other, and which are
// related. It is pure.
//
// A [Graph] is built from the headers of all memories, stubs included, and answers in both directions. Files come from
// anyone: a graph may have cycles, links to memories that do not exist, and links of a memory to itself. Every walk
// visits each memory once. A [Ruling] decides which memories others have superseded, and so no longer hold.
package links
