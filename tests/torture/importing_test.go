package torture_test

import (
	"fmt"
	"strings"
)

// importing brings several memories in at once.
func importing() []operation {
	first := exported("first", "The text of the first one.", "")
	changed := exported("first", "Another text of the first one.", "")
	return []operation{
		{name: "import", whole: true, prepare: func(p project) (string, []string) {
			furnish(p)
			p.write("in.json", document(first, exported("new", "What holds now.", ""),
				exported("old", "What held before.", "new"), exported("gone", "Of no use.", "none")))
			return "", []string{"import", "in.json", "--trust"}
		}},
		{name: "first import", whole: true, prepare: func(p project) (string, []string) {
			p.write("in.json", document(first))
			return "", []string{"import", "in.json", "--trust"}
		}},
		{name: "import outside of git", plain: true, whole: true, prepare: func(p project) (string, []string) {
			furnish(p)
			p.write("in.json", document(first, exported("old", "What held before.", "first")))
			return "", []string{"import", "in.json", "--trust"}
		}},
		{name: "import that updates", whole: true, prepare: func(p project) (string, []string) {
			furnish(p)
			p.write("in.json", document(first, exported("second", "The second one.", "")))
			p.run("", "import", "in.json", "--trust")
			p.write("in.json", document(changed, exported("second", "The second one.", "third"),
				exported("third", "The third one.", "")))
			return "", []string{"import", "in.json", "--update", "--trust"}
		}},
	}
}

// document is an export of Claude-LTM.
func document(memories ...string) string {
	return `{"version":"1.0","agent":{"id":"a","name":"a"},"memories":[` + strings.Join(memories, ",") + "]}\n"
}

// exported is a memory in it.
func exported(id, text, by string) string {
	superseded := ""
	if by != "" {
		superseded = fmt.Sprintf(`,"superseded_by":%q`, by)
	}
	return fmt.Sprintf(`{"id":%q,"region":"PROJECT","kind":"LEARNINGS","content":%q,"impact":"LOW",`+
		`"created_at":"2026-01-01T00:00:00+00:00"%s}`, id, text, superseded)
}
