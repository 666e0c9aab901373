// Package keyring keeps a person's signing keys: one file each, named after the key's fingerprint, in a directory of
// the person's own that no project contains. Only the person may read it. One of the keys is the current one, which
// makes new signatures.
//
// It also keeps the person's record of stores: the root commits of the repository that a store's id belongs to. An id
// can be copied into another repository together with the memories signed for it.
//
// It refuses keys that others may read, and never opens a link or a pipe. It also reads the person's list of allowed
// SSH signers. A list that a repository contains does not count: whoever can change the memories could change it, too.
package keyring
