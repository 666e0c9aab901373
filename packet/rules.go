package packet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rule says what a value may be. The rules of both versions are one table, [document]: that of
// 0.1 lacks the fields marked newer.
type rule struct {
	name     string // as a field of an object
	form     form
	required bool
	newer    bool // from version 0.2 on

	least, most int // characters of a text, items of a list (most only); most 0: no limit

	// check says what is wrong with a text, and of what kind that is; message "": nothing. It is
	// used for texts of a legal length.
	check func(text string) (kind Kind, message string)

	keyword string // of JSON Schema, which says what check allows
	allowed any    // the keyword's value

	item   *rule  // of a list
	fields []rule // of an object, in canonical order
}

// need and since02 mark a field.
func (r rule) need() rule    { r.required = true; return r }
func (r rule) since02() rule { r.newer = true; return r }

// The limits that several fields share, in characters.
const (
	maxSentence = 1024
	maxHow      = 2048
	maxRef      = 256
	maxName     = 128
	maxTag      = 32
	leastID     = 10
	maxID       = 64
)

// document returns the rules of a packet.
func document() rule {
	return object("",
		text("ltm_version", 0, 0).need(), // looked at first, because it chooses the rules
		text("id", leastID, maxID).need(),
		text("parent_id", leastID, maxID).since02(),
		checked("created_at", checkTime, "format", "date-time").need(),
		object("project", text("name", 0, maxName), text("ref", 0, maxRef)),
		text("goal", 1, maxSentence).need(),
		list("success_criteria", 16, text("", 0, maxSentence)).since02(),
		list("constraints", 32, text("", 0, maxSentence)),
		list("decisions", 64, object("",
			text("what", 0, maxSentence).need(),
			text("why", 0, maxSentence).need(),
			text("consequences", 0, maxSentence).since02(),
			rule{name: "locked", form: flagForm},
		)),
		list("methods", 32, object("",
			slug("name", maxName).need(),
			text("when_applicable", 0, maxSentence).need(),
			text("how", 0, maxHow).need(),
		)).since02(),
		list("attempts", 64, object("",
			text("tried", 0, maxSentence).need(),
			choice("outcome", string(Succeeded), string(Failed), string(Partial)).need(),
			text("learned", 0, maxSentence),
			level("confidence").since02(),
		)),
		list("open_questions", 32, text("", 0, maxSentence)),
		text("next_step", 1, maxSentence).need(),
		list("tags", 16, slug("", maxTag)),
		object("provenance",
			text("author_model", 0, maxName),
			text("author_human", 0, maxName),
			checked("source_hash", checkHash, "pattern", "^sha256:[a-f0-9]{64}$"),
			level("confidence"),
		),
	)
}

func text(name string, least, most int) rule {
	return rule{name: name, form: textForm, least: least, most: most}
}

// checked is the rule for a text that a function checks. A keyword of JSON Schema says the same.
func checked(name string, check func(string) (Kind, string), keyword string, allowed any) rule {
	return rule{name: name, form: textForm, check: check, keyword: keyword, allowed: allowed}
}

func slug(name string, most int) rule {
	return checked(name, checkSlug(most), "pattern", fmt.Sprintf("^[a-z0-9][a-z0-9-]{0,%d}$", most-1))
}

func choice(name string, choices ...string) rule {
	return checked(name, checkChoice(choices...), "enum", choices)
}

func level(name string) rule { return choice(name, string(Low), string(Medium), string(High)) }

func list(name string, most int, item rule) rule {
	return rule{name: name, form: listForm, most: most, item: &item}
}

func object(name string, fields ...rule) rule {
	return rule{name: name, form: objectForm, fields: fields}
}

// field returns the rule for a key, or nil.
func (r *rule) field(name string) *rule {
	if i := slices.IndexFunc(r.fields, func(f rule) bool { return f.name == name }); i >= 0 {
		return &r.fields[i]
	}
	return nil
}

// keys lists the keys of an object.
func (r *rule) keys() string {
	names := make([]string, len(r.fields))
	for i := range r.fields {
		names[i] = r.fields[i].name
	}
	return strings.Join(names, ", ")
}

// checkSlug returns the check for names of at most that many characters. The whole text has to
// match: in some engines the "$" of the schema's pattern would allow a final line break.
func checkSlug(most int) func(string) (Kind, string) {
	return func(s string) (Kind, string) {
		switch {
		case s == "":
			return KindShort, "is empty"
		case length(s) > most:
			return KindLong, tooLong(length(s), most)
		case s[0] == '-' || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
			return KindPattern,
				"has other characters than lower-case letters, digits and hyphens, or begins with a hyphen"
		}
		return "", ""
	}
}

func checkHash(s string) (Kind, string) {
	digits, ok := strings.CutPrefix(s, "sha256:")
	if ok && len(digits) == 64 && strings.Trim(digits, "0123456789abcdef") == "" {
		return "", ""
	}
	return KindPattern, `is not "sha256:" and 64 lower-case hex digits`
}

func checkChoice(choices ...string) func(string) (Kind, string) {
	return func(s string) (Kind, string) {
		if slices.Contains(choices, s) {
			return "", ""
		}
		last := len(choices) - 1
		return KindChoice, "is not one of " + strings.Join(choices[:last], ", ") + " and " + choices[last]
	}
}

func checkTime(s string) (Kind, string) {
	if _, message := readInstant(s); message != "" {
		return KindTime, message
	}
	return "", ""
}

func tooLong(n, most int) string {
	return "has " + strconv.Itoa(n) + " characters, at most " + strconv.Itoa(most) + " are allowed"
}
