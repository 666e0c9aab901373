package memory

import "strings"

// What a person types is not what a model calls. Where a message says what to do
// next, it has one of these marks in the place of the name, and each edge puts its
// own name there with [Spell]. A mark is a word between characters that texts for
// models and terminals never show: a message that is not spelled still reads well.
const (
	DoRecall       = mark + "recall" + mark
	DoList         = mark + "list" + mark
	DoShow         = mark + "show" + mark
	DoShowArchived = mark + "show from the archives" + mark
	DoRemember     = mark + "remember" + mark
	DoUpdate       = mark + "update" + mark
	DoRestore      = mark + "restore" + mark
	DoCheck        = mark + "check" + mark
	DoFix          = mark + "fix" + mark
	DoFixUnused    = mark + "fix of unused archives" + mark
	DoSearchAside  = mark + "a search in the archives" + mark
	DoEdit         = mark + "an editor" + mark
	DoEditFrom     = mark + "an editor again" + mark
	DoResolve      = mark + "a choice of sides" + mark
	DoUnpin        = mark + "unpin" + mark
	DoConfigure    = mark + "in the settings" + mark
	DoTrust        = mark + "in a terminal" + mark
)

// KnownIDs is the hint of an error about an id that does not exist.
const KnownIDs = DoRecall + " and " + DoList + " show the ids that exist"

// mark is a private character at the very end of Unicode.
const mark = "\U0010f7e1"

// Marks lists every mark, for tests of what edges call them.
func Marks() []string {
	return []string{DoRecall, DoList, DoShow, DoShowArchived, DoRemember, DoUpdate, DoRestore, DoCheck, DoFix, DoFixUnused,
		DoSearchAside, DoEdit, DoEditFrom, DoResolve, DoUnpin, DoConfigure, DoTrust}
}

// Spell puts an edge's names in the place of marks. A mark that the edge has no name
// for, as with nil, becomes its word.
func Spell(text string, names func() map[string]string) string {
	if !strings.Contains(text, mark) {
		return text
	}
	if names != nil {
		for at, name := range names() {
			text = strings.ReplaceAll(text, at, name)
		}
	}
	return strings.ReplaceAll(text, mark, "")
}
