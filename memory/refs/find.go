package refs

import (
	"slices"
	"strings"
	"unicode"

	"ltm/memory"
)

const (
	// maxFound bounds the candidates of one text, and maxToken their length in bytes.
	maxFound = 200
	maxToken = 600
)

// Find returns what in a text may be references to files, in the order of the text: paths with a slash or an extension,
// and a few names such as Makefile, each with what follows it of :LINE, :FIRST-LAST, #SYMBOL, #LLINE. "`Symbol` in
// PATH" is a reference to a symbol. A path below one of the directories tops, which are absolute, is relative to it.
// Whether the files exist is not known: most candidates of most texts are something else.
//
// A file that is named with a place in it is not named as a whole, too. Where several spellings are one name, fold
// returns what they have in common, such as [strings.ToLower]; the references keep their spelling. It can be nil.
func Find(text string, fold func(string) string, tops ...string) []memory.Ref {
	var found []memory.Ref
	before := words{}
	for token, isPart := range wordsOf(text) {
		r, ok := parse(token, fold, tops)
		if !ok && !isPart {
			before.previous, before.last = before.last, token
		}
		if !ok {
			continue
		}
		if symbol := before.symbol(text); symbol != "" && r.Line == 0 && r.Symbol == "" {
			r.Symbol = symbol
		}
		if !isPart { // its word has the same symbol
			before = words{}
		}
		if !slices.ContainsFunc(found, r.Same) {
			found = append(found, r)
		}
		if len(found) == maxFound {
			break
		}
	}
	return Narrow(found)
}

// Narrow leaves out references to whole files of which others name a part.
func Narrow(all []memory.Ref) []memory.Ref {
	return slices.DeleteFunc(all, func(r memory.Ref) bool {
		return r.Line == 0 && r.Symbol == "" && slices.ContainsFunc(all, func(o memory.Ref) bool {
			return o.Path == r.Path && (o.Line > 0 || o.Symbol != "")
		})
	})
}

// isDelimiter reports whether a character is never part of a path in a text. Some are in names of
// files, but more often they surround one.
func isDelimiter(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("`\"'()[]{}<>|*,;=!?“”‘’…", r)
}

// parse reads one word as a reference.
func parse(token string, fold func(string) string, tops []string) (memory.Ref, bool) {
	token = strings.TrimRight(token, ".:#-")
	if len(token) > maxToken || len(token) < 3 || strings.Contains(token, "://") || strings.HasPrefix(token, "-") {
		return memory.Ref{}, false
	}
	token = strings.ReplaceAll(token, `\`, "/")
	for _, top := range tops {
		if below, ok := Below(token, top, fold); ok && top != "" {
			token = below
			break
		}
	}
	r, err := memory.ParseRef(lines(token))
	return r, err == nil && isFileName(r.Path)
}

// Below returns the part of a path below a directory, if it is there. Both have slashes. If fold is not nil, what it
// makes of names is compared.
func Below(name, dir string, fold func(string) string) (below string, ok bool) {
	dir = strings.TrimSuffix(dir, "/") + "/"
	if fold == nil {
		return strings.CutPrefix(name, dir)
	}
	end := 0 // spellings can differ in length
	for range strings.Count(dir, "/") {
		at := strings.IndexByte(name[end:], '/')
		if at < 0 {
			return name, false
		}
		end += at + 1
	}
	if fold(name[:end]) != fold(dir) {
		return name, false
	}
	return name[end:], true
}

// lines rewrites the other forms of places: PATH:LINE:COLUMN of compilers, PATH#L10 and PATH#L10-L20 of web pages.
func lines(token string) string {
	if at := strings.Index(token, "#L"); at > 0 {
		first, last, isRange := strings.Cut(token[at+2:], "-")
		if _, _, ok := memory.ParseRefLines(first); ok {
			if isRange {
				first += "-" + strings.TrimPrefix(last, "L")
			}
			return token[:at] + ":" + first
		}
	}
	if parts := strings.Split(token, ":"); len(parts) == 3 && parts[0] != "" {
		return parts[0] + ":" + parts[1]
	}
	return token
}

// isFileName reports whether a path looks like one: a word alone does not.
func isFileName(path string) bool {
	base := path[strings.LastIndexByte(path, '/')+1:]
	switch base {
	case "Makefile", "Dockerfile", "Containerfile", "Justfile", "Rakefile", "Gemfile", "Jenkinsfile", "Procfile",
		"Vagrantfile", "Brewfile", "LICENSE", "CODEOWNERS":
		return true
	}
	if base != path {
		return true
	}
	dot := strings.LastIndexByte(base, '.')
	return dot >= 0 && dot < len(base)-1 && strings.ContainsFunc(base[dot+1:], unicode.IsLetter)
}

// words are the last words before a path.
type words struct{ last, previous string }

// symbol returns the name in "`name` in PATH", or "".
func (w *words) symbol(text string) string {
	if w.last != "in" || !isIdentifier(w.previous) || !strings.Contains(text, "`"+w.previous+"` in ") {
		return ""
	}
	return w.previous
}

// isIdentifier reports whether a word can be a name in a program, with dots between its parts.
func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || r != '.' && r != ':' && !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != "" && len(s) <= memory.MaxRefSymbolChars
}
