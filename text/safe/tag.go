package safe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// brackets are the characters that can look like the start of a tag.
	brackets = "<＜﹤‹«〈〈⟨⟪《❬❮❰˂ᐸᚲ≺≪⋘⋖⪡⧼⦑⦉⦓≮"

	// angles are those brackets that no language uses as quotation marks.
	angles = "<＜﹤≮"

	// closings are the characters that can look like the end of a tag.
	closings = ">＞﹥›»〉〉⟩⟫》❭❯❱˃ᐳ≻≫⋙⋗⪢⧽⦒⦊⦔≯"

	// slashes may appear between the bracket and the name.
	slashes = `/\!?／＼⁄∕⧸╱﹨！？﹗﹖`

	// escapedBracket replaces the opening bracket of a tag.
	escapedBracket = "&lt;"

	// bars enclose the names of a model's own control tokens.
	bars = "|｜￨"

	// tagNames are prefixes of the names of tags that a client puts around its own words to a
	// model, or a model around its calls, without the separators between their letters. Some begin behind
	// an "l", in whose place a bar can stand.
	tagNames = "systemreminder ltmmemory tmmemory ltmpacket tmpacket antml functioncall functionresult invoke " +
		"tooluseerror toolresult posttoolusehook pretoolusehook stophook " +
		"persistedoutput tasknotification " +
		"commandname commandmessage commandargs commandcontents localcommand ocalcommand " +
		"bashinput bashstdout bashstderr " +
		"userpromptsubmithook sessionstarthook usermemoryinput newdiagnostics ideopenedfile ideselection " +
		"idediagnostics " +
		"mcpresource mcppollingupdate teammatemessage crosssessionmessage"

	// wholeNames are names of such tags that are also words: they count only as a whole name between angle brackets.
	wholeNames = "system functions"

	// maxName is longer than any name. At least one of the first fewLetters letters must be recognizable, so that texts
	// in other scripts cost little.
	maxName    = 24
	fewLetters = 3
)

// escapeTags replaces the opening brackets of a client's or a model's tags with "&lt;".
func escapeTags(s string) string {
	var b strings.Builder
	from := 0
	for i, r := range s {
		if !isBracket(r) || !isTag(r, s[i+utf8.RuneLen(r):]) {
			continue
		}
		b.WriteString(s[from:i])
		b.WriteString(escapedBracket)
		from = i + utf8.RuneLen(r)
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

func isBracket(r rune) bool { return r == '<' || r > 0x7f && strings.ContainsRune(brackets, r) }

// isTag reports whether what follows a bracket makes it a client's or a model's tag.
func isTag(bracket rune, rest string) bool {
	if isMark(rest) {
		return true
	}
	rest = strings.TrimLeftFunc(rest, fills)
	if start, _ := squeezed(rest, fewLetters); !canBegin(start) {
		return false
	}
	name, after := squeezed(rest, maxName)
	return isLikeOneOf(tagNames, name, false) || strings.ContainsRune(angles, bracket) &&
		(isLikeOneOf(wholeNames, name, true) && closes(after) || endsLine(rest))
}

// endsLine reports whether a name is one of wholeNames and ends with its line or the text: what begins a quote's next
// line would close the tag.
func endsLine(rest string) bool {
	rest, _, _ = strings.Cut(rest, "\n")
	if strings.ContainsFunc(rest, isBracket) {
		return false
	}
	name, after := squeezed(rest, maxName)
	return isLikeOneOf(wholeNames, name, true) && strings.TrimLeftFunc(after, fills) == ""
}

// isLikeOneOf reports whether a name looks like one of some names or, unless whole is set, begins like one.
func isLikeOneOf(names, name string, whole bool) bool {
	for known := range strings.FieldsSeq(names) {
		if isLike(name, known, whole, len(known)/3) {
			return true
		}
	}
	return false
}

// closes reports whether the end of a tag begins a text.
func closes(text string) bool {
	end, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(text, fills))
	return strings.ContainsRune(closings, end)
}

// canBegin reports whether a tag's name can begin with these letters. It is fast, because code has many brackets.
func canBegin(start string) bool {
	if strings.Contains(start, anyLetter) {
		return strings.Trim(start, anyLetter) != ""
	}
	if len(start) < fewLetters {
		return false
	}
	const names = " " + tagNames + " " + wholeNames
	start = " " + start[:fewLetters]
	return strings.Contains(names, start) || strings.Contains(names, strings.ReplaceAll(start, "i", "l")) ||
		strings.Contains(names, strings.ReplaceAll(start, "l", "i"))
}

// fills reports whether a reader may still see a tag if r is between its bracket and name.
func fills(r rune) bool { return isLittle(r) || strings.ContainsRune(slashes+bars, r) }

// separates reports whether r may appear between the letters of a name.
func separates(r rune) bool {
	return isLittle(r) || (unicode.IsPunct(r) || unicode.IsSymbol(r)) && !isBracket(r) &&
		!strings.ContainsRune(closings, r)
}

// isLittle reports whether r is a blank or easily overlooked.
func isLittle(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r) || r == utf8.RuneError
}

// squeezed returns the first letters of a name, at most that many, as the ASCII letters that they
// look like, and the text after them. A bracket ends a name, also one that has been escaped.
func squeezed(s string, most int) (name, rest string) {
	var b strings.Builder
	for i, r := range s {
		letters := lookAlike(r)
		if letters == "" && !separates(r) || b.Len() >= most || r == '&' && strings.HasPrefix(s[i:], escapedBracket) {
			return b.String(), s[i:]
		}
		b.WriteString(letters)
	}
	return b.String(), ""
}

// isMark reports whether rest is that of a model's control token, such as <|end|>: a word in bars.
func isMark(rest string) bool {
	bar, n := utf8.DecodeRuneInString(rest)
	if n == 0 || !strings.ContainsRune(bars, bar) {
		return false
	}
	end := strings.IndexFunc(rest[n:], func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '▁' && r != '-'
	})
	if end <= 0 {
		return false
	}
	rest = rest[n+end:]
	bar, n = utf8.DecodeRuneInString(rest)
	closing, _ := utf8.DecodeRuneInString(rest[n:])
	return strings.ContainsRune(bars, bar) && strings.ContainsRune(closings, closing)
}
