package store

import (
	"errors"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
)

const ignoreRules = `# What belongs to this clone alone. Memories, archives and their indexes are shared.
/stats.json
/state.json
.*
!.gitignore
!.gitattributes
`

const attributeRules = `# Derived files: ltm writes them anew from the memories. The merge driver is optional.
index.json merge=ltm-index linguist-generated
archive_index.json merge=ltm-index linguist-generated
`

// The files that keep volatile files out of git and merges of the indexes easy.
const (
	ignoreFile     = ".gitignore"
	attributesFile = ".gitattributes"

	// maxRulesBytes bounds what is read of them.
	maxRulesBytes = 1 << 20
)

// writeRules writes what tells git how to treat a store in which nothing was
// stored yet. The process that made the folder may have been killed before it
// did; in an older store people may have taken the files out.
func writeRules(root *os.Root) error {
	if _, err := root.Lstat(indexFile); err == nil {
		return nil
	}
	for _, file := range []struct{ name, text string }{{ignoreFile, ignoreRules}, {attributesFile, attributeRules}} {
		if _, err := root.Lstat(file.name); errors.Is(err, fs.ErrNotExist) {
			if err := replaceDurable(root, file.name, []byte(file.text)); err != nil {
				return storageError(err, "create", file.name)
			}
		}
	}
	return nil
}

// LackingRules is what one of the store's own files for git should say and does
// not.
type LackingRules struct {
	File  string
	Lines []string
}

// LackingRules compares the store's own files for git with what they should say.
// What is no regular file, or cannot be read, is not looked into.
func (v *View) LackingRules() []LackingRules {
	if v.root == nil {
		return nil
	}
	var found []LackingRules
	for _, file := range []string{ignoreFile, attributesFile} {
		if _, lines, err := lackingRules(v.root, file); err == nil && len(lines) > 0 {
			found = append(found, LackingRules{file, lines})
		}
	}
	return found
}

// RestoreRules adds what a file for git lacks, after what people wrote in it.
func (tx *Tx) RestoreRules(file string) error {
	old, lines, err := lackingRules(tx.root, file)
	if err != nil || len(lines) == 0 {
		return storageError(err, "read", file)
	}
	end := "\n"
	if strings.Contains(old, "\r\n") {
		end = "\r\n"
	}
	if old == "" {
		lines = append(slices.Collect(rulesOf(file, true)), lines...)
	} else if !strings.HasSuffix(old, "\n") {
		old += end
	}
	return storageError(replaceDurable(tx.root, file, []byte(old+strings.Join(lines, end)+end)), "write", file)
}

// rulesOf yields the lines that a file should have, or the comments above them.
func rulesOf(file string, comments bool) iter.Seq[string] {
	text := ignoreRules
	if file == attributesFile {
		text = attributeRules
	}
	return func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "#") == comments && !yield(strings.TrimSuffix(line, "\n")) {
				return
			}
		}
	}
}

// lackingRules returns what a file holds, "" when it is missing, and the lines
// that it lacks, in order.
func lackingRules(root *os.Root, file string) (old string, lacking []string, err error) {
	data, err := readBounded(root, file, maxRulesBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	old = string(data)
	has := strings.Split(strings.ReplaceAll(old, "\r\n", "\n"), "\n")
	hides := -1 // the last line that hides all dot files; what shows some of them must come after it
	for rule := range rulesOf(file, false) {
		at := lastRule(has, file, rule)
		if rule == ".*" {
			if hides = at; at < 0 {
				hides = len(has)
			}
		}
		if at < 0 || strings.HasPrefix(rule, "!") && at < hides {
			lacking = append(lacking, rule)
		}
	}
	return old, lacking, nil
}

// lastRule returns the last line that says what a rule does, or -1. Of an index,
// any word on how to merge it counts: people may have chosen another.
func lastRule(lines []string, file, rule string) int {
	for i, line := range slices.Backward(lines) {
		line = strings.TrimRight(line, " \t")
		if file == ignoreFile && strings.TrimPrefix(line, "/") == strings.TrimPrefix(rule, "/") {
			return i
		}
		words, want := strings.Fields(line), strings.Fields(rule)
		if file == attributesFile && len(words) > 1 && strings.TrimPrefix(words[0], "/") == want[0] && slices.ContainsFunc(words[1:], namesMerge) {
			return i
		}
	}
	return -1
}

// namesMerge says whether an attribute is that of a merge driver, set or not.
func namesMerge(word string) bool {
	name, _, _ := strings.Cut(strings.TrimLeft(word, "-!"), "=")
	return name == "merge"
}
