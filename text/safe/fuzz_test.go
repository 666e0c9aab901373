package safe_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"ltm/text/safe"
)

// requireSafe checks a text independently of the package: by Unicode categories, and for tags after
// removing everything that could disguise them.
func requireSafe(t *testing.T, text string) {
	t.Helper()
	require.True(t, utf8.ValidString(text), "%q", text)
	var before rune
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t':
		case r == 0x200c || r == 0x200d || unicode.Is(unicode.Variation_Selector, r):
			require.True(t, before > 0x7f || before >= '0' && before <= '9' || before == '#' || before == '*',
				"%U behind %U in %q", r, before, text)
			require.False(t, unicode.In(before, unicode.Latin, unicode.Cyrillic, unicode.Greek, unicode.Hebrew,
				unicode.Zs), "%U behind %U in %q", r, before, text)
			require.False(t, before == 0x200c || before == 0x200d && r != 0xfe0f, "%U behind %U in %q", r, before, text)
		case unicode.In(r, unicode.Cc, unicode.Co, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
			unicode.Other_Default_Ignorable_Code_Point), r >= 0xe0000:
			require.Fail(t, "hidden", "%U is in %q", r, text)
		case unicode.Is(unicode.Cf, r):
			require.True(t, unicode.Is(unicode.Prepended_Concatenation_Mark, r), "%U is in %q", r, text)
		case unicode.Is(unicode.Zs, r):
			require.Equal(t, ' ', r, "%q", text)
		}
		before = r
	}
	require.NotRegexp(t, tagInDisguise(), bare(text), "%q", text)
}

func tagInDisguise() *regexp.Regexp {
	var names []string
	for _, name := range []string{"systemreminder", "ltmmemory", "ltmpacket", "functioncalls", "antml"} {
		names = append(names, strings.Join(strings.Split(name, ""), `[\p{Pd}\p{Pc}\x{fffd}]*`))
	}
	return regexp.MustCompile(`[<‹⟨《«][/!?|\\\x{fffd}]*(` + strings.Join(names, "|") + ")")
}

// bare returns text in lower case, without marks and blanks.
func bare(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.In(r, unicode.M, unicode.Cf) || unicode.IsSpace(r) {
			continue
		}
		whole := norm.NFKD.String(string(r))
		if strings.HasPrefix(whole, " ") { // a mark that takes up space of its own is visible
			whole = string(r)
		}
		b.WriteString(strings.Map(func(r rune) rune {
			if unicode.IsMark(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, whole))
	}
	return b.String()
}

// seenOnly returns text without blanks and invisible characters, and with "<" for every bracket
// that can open a tag, escaped or not.
func seenOnly(text string) string {
	text = strings.Map(func(r rune) rune {
		hidden := unicode.In(r, unicode.C, unicode.Z, unicode.Variation_Selector,
			unicode.Other_Default_Ignorable_Code_Point) || r == 0x2800
		if hidden && !unicode.Is(unicode.Prepended_Concatenation_Mark, r) && r < 0x40000 || r >= 0x40000 ||
			unicode.IsSpace(r) || r == 0x17b4 || r == 0x17b5 || r == 0x16fe4 {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return regexp.MustCompile(`&lt;|[<＜﹤‹«〈〈⟨⟪《❬❮❰˂ᐸᚲ≺≪⋘⋖⪡⧼⦑⦉⦓≮]`).ReplaceAllString(text, "<")
}

// FuzzText converts any text: invisible characters are removed, visible ones kept, and a second
// conversion changes nothing.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		shown := safe.Text(text)
		requireSafe(t, shown)
		require.Equal(t, shown, safe.Text(shown))
		require.Equal(t, seenOnly(validated(text)), seenOnly(shown), "%q", text)

		line := safe.Line(text)
		requireSafe(t, line)
		require.Equal(t, line, safe.Line(line))
		require.NotContains(t, line, "\n")

		cut := safe.Clip(shown, 10)
		requireSafe(t, cut)
		require.LessOrEqual(t, utf8.RuneCountInString(cut), 11)
	})
}

// validated replaces each byte that is not UTF-8, where strings.ToValidUTF8 replaces each run of
// them.
func validated(text string) string { return string([]rune(text)) }

// FuzzLetters checks that letters, digits, punctuation and symbols of any script stay unchanged.
func FuzzLetters(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		plain := strings.Map(func(r rune) rune {
			hidden := unicode.In(r, unicode.Other_Default_Ignorable_Code_Point) || r == 0x2800 || r == utf8.RuneError
			if r != ' ' && r != '\n' && !unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S) || hidden ||
				seenOnly(string(r)) == "<" {
				return -1
			}
			return r
		}, text)
		require.Equal(t, plain, safe.Text(plain))
	})
}

// FuzzQuote quotes any text: every line is inside the quote, and the text can be recovered.
func FuzzQuote(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		quoted := safe.Quote(text)
		requireSafe(t, quoted)
		var lines []string
		for line := range strings.SplitSeq(quoted, "\n") {
			require.Regexp(t, `^>( .*\S)?$`, line)
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " "))
		}
		var want []string
		for line := range strings.SplitSeq(safe.Text(text), "\n") {
			want = append(want, strings.TrimRight(line, " \t"))
		}
		require.Equal(t, want, lines)
	})
}

// FuzzName quotes any name: on one line, within its limit, with every character visible.
func FuzzName(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string, most int) {
		most = max(1, most%200)
		shown := safe.Name(name, most)
		require.LessOrEqual(t, utf8.RuneCountInString(shown), 4*most+3)
		require.NotRegexp(t, tagInDisguise(), bare(shown))
		for _, r := range shown {
			require.True(t, unicode.IsPrint(r) || unicode.In(r, unicode.Prepended_Concatenation_Mark, unicode.Cn),
				"%U in %q", r, shown)
		}
		if shown == name {
			require.Regexp(t, `^[\pL\pN._/+@~…-]+$`, shown)
			return
		}
		require.Regexp(t, `^"(?s).*"$`, shown)

		encoded, err := json.Marshal(name)
		require.NoError(t, err)
		var want, got string
		require.NoError(t, json.Unmarshal(encoded, &want))
		safe := safe.JSON(encoded)
		require.NoError(t, json.Unmarshal(safe, &got))
		require.Equal(t, want, got)
		for _, r := range string(safe) {
			require.False(t, unicode.In(r, unicode.Cc, unicode.Bidi_Control, unicode.Co), "%U in %q", r, safe)
		}
	})
}
