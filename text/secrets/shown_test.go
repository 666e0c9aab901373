package secrets_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/secrets"
)

// fullWidth returns a text in full-width letters.
func fullWidth(text string) string {
	return strings.Map(func(r rune) rune {
		if r > ' ' && r <= '~' {
			return r + 0xfee0
		}
		return r
	}, text)
}

// TestAsShown hides credentials by what people do not see.
func TestAsShown(t *testing.T) {
	token := key("ghp_", "q7Tz0aLk93VbXc5RmN2y", "W8sDf6Gh1Jp4Ue0o")
	for name, given := range map[string]string{
		"zero-width spaces":    strings.Join(strings.Split(token, ""), "\u200b"),
		"a soft hyphen":        token[:9] + "\u00ad" + token[9:],
		"full-width letters":   fullWidth(token),
		"the prefix is styled": "𝐠𝐡𝐩" + token[3:],
		"marks of direction":   token[:20] + "\u202e\u2066" + token[20:],
	} {
		t.Run(name, func(t *testing.T) {
			before, after := "Grüße, it is ", "\u200b, as you know ½"
			want := []secrets.Finding{{Kind: "GitHub token", Start: len(before), End: len(before) + len(given)}}
			require.Equal(t, want, secrets.Find(before+given+after))
			masked, _ := secrets.Redact(before + given + after)
			require.Equal(t, before+secrets.Mask+after, masked)
		})
	}
	for _, harmless := range []string{"مرحبا\u200d بك", "👨‍👩‍👧 at 10 ㎏", "\xff\xfe½", "pass\u200bage of ５ ㍑",
		"\u200b"} {
		require.Empty(t, secrets.Find(harmless), "%q", harmless)
	}
}

// TestCards looks for the numbers of cards in talk, and nowhere else.
func TestCards(t *testing.T) {
	number := func(head string, n int) string { // with its check digit
		for len(head) < n-1 {
			head += fmt.Sprint((len(head)*7 + 3) % 10)
		}
		for digit := range 10 {
			sum := 0
			whole := head + fmt.Sprint(digit)
			for k := range whole {
				d := int(whole[k] - '0')
				if (len(whole)-k)%2 == 0 {
					d *= 2
				}
				sum += d/10 + d%10
			}
			if sum%10 == 0 {
				return whole
			}
		}
		panic("no digit fits")
	}
	visa, amex := number("4929", 16), number("3782", 15)
	for _, card := range []string{visa, amex, number("5454", 16), number("2223", 16), number("6011", 16),
		number("3056", 14), number("4000", 19), fullWidth(visa),
		visa[:4] + " " + visa[4:8] + " " + visa[8:12] + " " + visa[12:],
		visa[:4] + "-" + visa[4:8] + "-" + visa[8:12] + "-" + visa[12:],
		amex[:4] + " " + amex[4:10] + " " + amex[10:]} {
		text := "My card is " + card + ", until 12/29."
		want := []secrets.Finding{{Kind: "card number", Start: 11, End: 11 + len(card)}}
		require.Equal(t, want, secrets.InTalk(text), card)
		require.Empty(t, secrets.Find(text), card)
		masked, n := secrets.RedactTalk(text)
		require.Equal(t, "My card is "+secrets.Mask+", until 12/29.", masked)
		require.Equal(t, 1, n)
	}
	groups := []string{visa[:4], visa[4:8], visa[8:12], visa[12:]}
	arabic := strings.Map(func(r rune) rune { return r - '0' + '\u0660' }, visa)
	bengali := strings.Map(func(r rune) rune { return r - '0' + '\u09e6' }, visa)
	cards := []string{arabic, bengali, strings.Join(groups, ")("), strings.Join(groups, ") (")}
	for _, sign := range strings.Split(" -./_,\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "") {
		cards = append(cards, strings.Join(groups, sign))
	}
	for _, card := range cards {
		for _, rest := range []string{" 12/29 123 ok.", " 123", "", " 1229", "/12/29", "-123"} {
			masked, n := secrets.RedactTalk("my visa is " + card + rest)
			require.Equal(t, "my visa is "+secrets.Mask+rest, masked, card)
			require.Equal(t, 1, n, card)
		}
	}
	wrong := visa[:15] + fmt.Sprint((int(visa[15]-'0')+1)%10)
	for _, other := range []string{wrong, number("9929", 16), number("5454", 15), number("4929", 12), "id" + visa,
		visa + "7",
		visa + "x", visa[:2] + " " + visa[2:4] + " " + visa[4:], "+49 30 901820", "2026-11-27 19:50:54",
		visa[:8] + "." + visa[8:]} {
		require.Empty(t, secrets.InTalk("It is "+other+" today."), other)
	}
}

// TestOwnTokens has what ltm-server hands out, and other tokens that are known by their form alone.
func TestOwnTokens(t *testing.T) {
	random := key("q7Tz0aLk93VbXc5RmN2yW8s", "Df6Gh1Jp4Ue0oKi3Br9Cv2x5ZaQ")
	for kind, text := range map[string]string{
		"ltm token":      key("ltms_", random[:48]),
		"Asana token":    key("2/1204567890123456/1209876543210987:", "9f86d081c84d7d659a2feaa0c55ad015"),
		"Sentry token":   key("sntrys_", "eyJpYXQiOjE3MDk2", random, random, "_", random[:43]),
		"Google API key": key("AQ.", "Ab8RN6", random),
		"PagerDuty key":  key("u+", random[:18]),
	} {
		want := []secrets.Finding{{Kind: kind, Start: 4, End: 4 + len(text)}}
		require.Equal(t, want, secrets.Find("it: "+text+" ok"), kind)
	}
}
