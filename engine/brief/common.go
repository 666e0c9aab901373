package brief

// What a word counts as evidence that a memory bears on a prompt: less if requests are made of it whatever they are
// about, and little if it is a number that can be anything.
const (
	commonWeight = 0.8
	numberWeight = 0.3
)

// Weigh returns what a word of a prompt, of which stem is what its inflections have in common, counts as evidence.
func Weigh(word, stem string) float64 {
	switch {
	case isNumber(word):
		return numberWeight
	case isCommon(stem):
		return commonWeight
	}
	return 1
}

// isNumber reports whether a word is a number of one or two digits. Longer ones are often codes.
func isNumber(word string) bool {
	for i := range len(word) {
		if word[i] < '0' || word[i] > '9' {
			return false
		}
	}
	return len(word) <= 2
}

// isCommon reports whether a stem is of a word that requests to a coding agent are made of, whatever they are about. A
// small store knows few of them, and takes those for rare.
func isCommon(stem string) bool {
	switch stem {
	case "abl", "abov", "actual", "ad", "add", "after", "again", "almost", "alon", "along", "alreadi", "altern",
		"although", "alway", "amount", "anoth", "anyth", "append", "appli", "around", "ask", "avail", "avoid",
		"away", "back", "bad", "base", "basic", "becom", "befor", "begin", "below", "best", "better", "big",
		"bit", "block", "bodi", "book", "bottom", "box", "break", "bring", "build", "button", "call", "came",
		"cancel", "case", "catch", "caus", "certain", "chang", "check", "choos", "class", "clean", "clear",
		"click", "close", "code", "color", "column", "come", "command", "comment", "common", "compar", "complet",
		"compon", "config", "configur", "contain", "content", "continu", "convert", "copi", "correct", "count",
		"creat", "current", "custom", "cut", "data", "date", "day", "debug", "default", "defin", "delet",
		"describ", "descript", "detail", "differ", "directori", "display", "doc", "document", "doe", "doesn",
		"done", "doubl", "draw", "drop", "due", "easi", "edit", "eight", "either", "element", "els", "empti",
		"enabl", "end", "enough", "ensur", "entri", "error", "even", "ever", "everi", "everyon", "everyth",
		"exact", "exampl", "except", "exist", "expect", "explain", "extra", "extract", "fact", "fail", "fast",
		"faster", "fetch", "few", "field", "figur", "file", "fill", "filter", "final", "find", "fine", "finish",
		"first", "five", "fix", "folder", "follow", "format", "four", "full", "function", "gave", "general",
		"generat", "get", "give", "given", "go", "gone", "good", "got", "great", "half", "hand", "handl",
		"happen", "hard", "have", "hello", "help", "hey", "hi", "hide", "high", "hold", "hour", "idea", "ignor",
		"imag", "implement", "import", "improv", "includ", "increas", "info", "inform", "input", "insert",
		"insid", "instal", "instead", "introduc", "investig", "issu", "item", "job", "keep", "key", "kind",
		"know", "larg", "last", "late", "later", "latest", "least", "leav", "left", "less", "let", "level",
		"librari", "like", "limit", "line", "list", "littl", "load", "local", "log", "long", "longer", "look",
		"lose", "lot", "low", "made", "main", "make", "mani", "mayb", "mean", "menu", "merg", "messag", "method",
		"migrat", "minut", "miss", "modul", "moment", "month", "more", "morn", "most", "move", "much", "multipl",
		"name", "near", "necessari", "need", "never", "new", "next", "nice", "night", "nine", "normal", "note",
		"noth", "now", "number", "object", "often", "old", "one", "open", "option", "order", "origin", "other",
		"output", "page", "part", "pass", "path", "peopl", "per", "person", "pick", "place", "plan", "pleas",
		"point", "possibl", "prefer", "prepar", "present", "prevent", "previous", "print", "probabl", "problem",
		"process", "produc", "program", "project", "proper", "provid", "pull", "push", "put", "quick", "quit",
		"rais", "rather", "reach", "read", "real", "realli", "reason", "recent", "reduc", "refactor", "remov",
		"renam", "replac", "report", "request", "requir", "reset", "resolv", "rest", "restart", "restor",
		"result", "return", "revert", "review", "rewrit", "right", "row", "run", "said", "same", "save", "saw",
		"say", "screen", "script", "search", "second", "section", "see", "seem", "select", "send", "sens", "set",
		"setup", "seven", "sever", "short", "shorter", "show", "shown", "side", "similar", "simpl", "simpli",
		"sinc", "singl", "six", "size", "slow", "slower", "small", "someon", "someth", "sometim", "somewher",
		"soon", "sorri", "sort", "special", "speed", "split", "standard", "start", "state", "status", "stay",
		"step", "still", "stop", "store", "stuff", "style", "suggest", "support", "suppos", "sure", "switch",
		"system", "tabl", "take", "taken", "task", "tell", "ten", "test", "text", "thank", "thing", "think",
		"third", "three", "throw", "time", "titl", "today", "togeth", "told", "tomorrow", "took", "top", "total",
		"translat", "tri", "true", "turn", "two", "type", "undo", "unit", "until", "updat", "upgrad", "usag",
		"use", "user", "usual", "valid", "valu", "variabl", "verifi", "version", "via", "view", "wait", "want",
		"way", "week", "well", "went", "whether", "whole", "window", "wish", "with", "within", "word", "work",
		"write", "wrong", "year", "yesterday", "yet", "zero":
		return true
	}
	return false
}
