package memory

import "strings"

// Command lines, tools and hooks have different names for the same action. A message that advises
// an action contains one of these marks instead of a name; each edge substitutes its own names with
// [Spell]. A mark is a phrase between two private characters, so a message still reads well when
// the marks are only stripped.
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

// mark is a private-use character from the last plane of Unicode, which no stored text should
// contain.
const mark = "\U0010f7e1"

// Marks lists every mark, so that tests can check that each edge has a name for all of them.
func Marks() []string {
	return []string{DoRecall, DoList, DoShow, DoShowArchived, DoRemember, DoUpdate, DoRestore, DoCheck, DoFix, DoFixUnused,
		DoSearchAside, DoEdit, DoEditFrom, DoResolve, DoUnpin, DoConfigure, DoTrust}
}

// Spell replaces marks in text with an edge's names. A mark without a name, or every mark if names
// is nil, becomes its own phrase.
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
