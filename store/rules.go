package store

import (
	"errors"
	"io/fs"
	"os"

	"ltm/internal/fs/atomicfile"
)

const ignoreRules = `# Temporary files. All else here is shared; what belongs to one clone is in .git/ltm.
.*
!.gitignore
!.gitattributes
`

// ownRules are added in the person's own store.
const ownRules = `# The secret of the trust records of this machine.
/trust.key
`

const attributeRules = `# The same bytes on every system, so that no checkout looks like a change.
*.md text eol=lf
*.json text eol=lf
`

// The files that tell git how to treat a store.
const (
	ignoreFile     = ".gitignore"
	attributesFile = ".gitattributes"
)

// WriteRules writes the missing ones of the files that tell git how to treat the store. Nothing depends on them. They
// are written only on request: made with the first memory, they would be untracked files, and git would refuse to check
// out a commit that has them.
func (tx *Tx) WriteRules() error { return writeRules(tx.root, tx.Own()) }

func writeRules(root *os.Root, own bool) error {
	ignored := ignoreRules
	if own {
		ignored += ownRules
	}
	for _, file := range []struct{ name, text string }{{ignoreFile, ignored}, {attributesFile, attributeRules}} {
		if _, err := root.Lstat(file.name); errors.Is(err, fs.ErrNotExist) {
			if err := atomicfile.Replace(root, file.name, []byte(file.text)); err != nil {
				return storageError(err, "create", file.name)
			}
		}
	}
	return nil
}
