package store

import (
	"errors"
	"io/fs"

	"ltm/internal/atomicfile"
)

const ignoreRules = `# Temporary files. All else here is shared; what belongs to one clone is in .git/ltm.
.*
!.gitignore
!.gitattributes
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

// WriteRules writes the missing ones of the files that tell git how to treat the store.
// Nothing depends on them. They are written only on request: made with the first memory,
// they would be untracked files, and git would refuse to check out a commit that has
// them.
func (tx *Tx) WriteRules() error {
	for _, file := range []struct{ name, text string }{{ignoreFile, ignoreRules}, {attributesFile, attributeRules}} {
		if _, err := tx.root.Lstat(file.name); errors.Is(err, fs.ErrNotExist) {
			if err := atomicfile.Replace(tx.root, file.name, []byte(file.text)); err != nil {
				return storageError(err, "create", file.name)
			}
		}
	}
	return nil
}
