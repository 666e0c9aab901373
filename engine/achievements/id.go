package achievements

import (
	"crypto/sha256"

	"ltm/memory"
)

// ID returns the id of the memory of an achievement. A release has that of its tag. Other commits
// have that of their change, which is the patch id that git computes; without one, for an empty or
// a very large change, it is that of the topic.
func (a Achievement) ID(patch string) memory.ID {
	of := "topic\x00" + a.Topic
	switch {
	case a.Tag != "":
		of = "tag\x00" + a.Tag
	case patch != "":
		of = "patch\x00" + patch
	}
	sum := sha256.Sum256([]byte(of))
	return memory.NewID([4]byte(sum[:4]))
}

// Content returns the text of the memory. It is the same in every clone, so that branches that
// store the same achievement merge.
func (a Achievement) Content() string {
	text := a.Topic + "\n\nCommit " + a.Commit
	if !a.At.IsZero() {
		text += " of " + a.At.UTC().Format("2006-01-02")
	}
	return text + ", found as: " + a.Why + "."
}
