package conversation

// Recap reports whether a message in English, or of no declared language, asks for what was said so far. Such a
// message has no word of what it asks for, so that search finds nothing for it.
func Recap(text, lang string) bool {
	return english(lang) && has(words(text), "recap", "summarize", "summarise", "summary", "sum up", "catch me up",
		"where were we", "where did we stop", "where did we leave off", "what have we discussed", "what did we discuss",
		"remind me", "go on where we")
}
