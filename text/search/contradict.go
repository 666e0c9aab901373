package search

import "strings"

// MayContradict reports whether two texts have a sentence that they say alike but for one number or version, or for a
// negation. A number counts if the sentence says before it that something is so: "The port of service 2 is 5432" is no
// other value than that of service 3.
func MayContradict(a, b string) bool {
	said := map[string][][]string{}
	for _, s := range splitSentences(a) {
		frame, values := statement(s.text)
		said[frame] = append(said[frame], values)
	}
	for _, s := range splitSentences(b) {
		frame, values := statement(s.text)
		for _, other := range said[frame] {
			differ := 0
			for i, value := range values {
				if value != other[i] {
					differ++
				}
			}
			if differ == 1 && strings.Contains(frame, " ") {
				return true
			}
		}
	}
	return false
}

// The words that a frame lacks, the negations among them, and those behind which a number is what is said.
const (
	frameless = " a an the do does did always please just "
	negations = " not no never dont doesnt didnt isnt arent wasnt cant cannot wont without mustnt shouldnt "
	valued    = " is are was were has have had uses use takes take needs need requires require listens runs set must " +
		"should allows keeps lasts expires defaults port version timeout limit = "
)

// statement takes a sentence apart: the stems of its words, without articles and negations and with a line break, which
// no word has, for numbers, and its values: "not" if it is denied, and the numbers and versions, perhaps with units.
// Dates, paths and numbers of issues are words.
func statement(text string) (frame string, values []string) {
	values = []string{""}
	says := false
	clean := strings.NewReplacer("'", "", "’", "", "`", "", "*", "", ":", " ").Replace(strings.ToLower(text))
	for word := range strings.FieldsSeq(clean) {
		word = strings.Trim(word, ".,;!?()[]\"")
		is := func(words string) bool { return strings.Contains(words, " "+word+" ") }
		switch {
		case word == "" || is(frameless):
			continue
		case is(negations):
			values[0] = "not"
			continue
		case says && strings.Trim(word, "0123456789.,_%bdghkmsv") == "" && strings.ContainsAny(word, "0123456789"):
			values, word = append(values, word), "\n"
		}
		says = says || is(valued)
		frame = strings.TrimPrefix(frame+" "+stem(word), " ")
	}
	return frame, values
}
