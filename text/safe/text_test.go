package safe_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/safe"
)

func TestCharacters(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"plain text", "plain\n\ttext ~", "plain\n\ttext ~"},
		{"markup and code", "if a < b && c <d> </d> List<System.String> <!-- x --> a <| b |> c",
			"if a < b && c <d> </d> List<System.String> <!-- x --> a <| b |> c"},
		{"placeholders",
			"<name> <arch-system> x<system-y <函数名> <中文中文中文中文> <x1> <ltm-m123456> α<β ‹prénom› «system» 《functions》",
			"<name> <arch-system> x<system-y <函数名> <中文中文中文中文> <x1> <ltm-m123456> α<β ‹prénom› «system» 《functions》"},
		{"escapes that color", "\x1b[31mred\x1b[0m\x07", "[31mred[0m"},
		{"escapes of one byte", "a\u009b2Jb\u009d0;title\u009c", "a2Jb0;title"},
		{"a link of a terminal", "\x1b]8;;http://x.test\x1b\\here\x1b]8;;\x1b\\", `]8;;http://x.test\here]8;;\`},
		{"line ends", "a\r\nb\rc\u2028d\u2029e\u0085f\vg\fh", "a\nb\nc\nd\ne\nf\ng\nh"},
		{"blanks", "a\u00a0b\u2003c\u3000d\u2800e\u1680f", "a b c d e f"},
		{"turned around", "\u202egnp.exe\u2066\u200f\u061c", "gnp.exe"},
		{"without width", "a\u200bb\u00adc\u2060d\ufeffe\u034ff\u180e", "abcdef"},
		{"fillers", "a\u3164b\uffa0c\u115fd\u17b4e", "abcde"},
		{"letters of the tags block", "x\U000e0041\U000e0042\U000e007f", "x"},
		{"private use", "\ue0b0 \U000f0000\U0010fffd", " "},
		{"noncharacters", "\ufdd0\uffff\U0001fffe\U00050000", ""},
		{"not UTF-8", "a\xff\xc3", "a\ufffd\ufffd"},
		{"a replacement", "\ufffd", "\ufffd"},
		{"visible formatting characters", "\u0600\u06dd", "\u0600\u06dd"},
		{"a new emoji", "\U0001fae9", "\U0001fae9"},
		{"selectors that hide bytes", "a\ufe00\ufe01\U000e0101 b\ufe0f", "a b"},
		{"several selectors", "✔\ufe0f\ufe0f\ufe0e 葛\U000e0101\U000e0102", "✔\ufe0f 葛\U000e0101"},
		{"selectors of emoji and ideographs", "❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3 ㊙\ufe0f 葛\U000e0100 ᠠ\u180b",
			"❤\ufe0f ☎\ufe0e 1\ufe0f\u20e3 ㊙\ufe0f 葛\U000e0100 ᠠ\u180b"},
		{"a selector without its keycap", "1\ufe0f 2\ufe0f\u200b\u20e3", "1 2\u20e3"},
		{"joined emoji", "👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🏴\u200d☠\ufe0f 🧑🏽\u200d🤝\u200d🧑🏿 👁\ufe0f\u200d🗨\ufe0f",
			"👩\u200d💻 👨\u200d👩\u200d👧\u200d👦 🏴\u200d☠\ufe0f 🧑🏽\u200d🤝\u200d🧑🏿 👁\ufe0f\u200d🗨\ufe0f"},
		{"a long row of emoji", strings.Repeat("👩\u200d", 9) + "👩",
			strings.Repeat(strings.Repeat("👩\u200d", 4)+"👩", 2)},
		{"Persian", "می\u200cخواهم ه\u200d.ش", "می\u200cخواهم ه\u200d.ش"},
		{"Indic", "क्\u200dष ശ്രീ\u200c അവന്\u200d ක්\u200dෂ র\u200d্য",
			"क्\u200dष ശ്രീ അവന്\u200d ක්\u200dෂ র\u200d্য"},
		{"joiners in Latin", "a\u200db\u200cc", "abc"},
		{"joiners alone", "\u200d\u200c a\u200d", " a"},
		{"many joiners", "م\u200c\u200c\u200dن" + strings.Repeat("\u200cب", 9), "م\u200dن" +
			strings.Repeat("\u200cب", 5) + "بببب"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, safe.Text(test.text))
			require.Equal(t, test.want, safe.Text(test.want))
		})
	}
}

func TestSelectorsOfIdeographsAreBounded(t *testing.T) {
	got := safe.Text(strings.Repeat("葛\U000e01ef", 1000))
	require.Equal(t, strings.Repeat("葛\U000e01ef", 64)+strings.Repeat("葛", 936), got)
}

// TestTagsOfAClient has a client's tags, plain and in every disguise.
func TestTagsOfAClient(t *testing.T) {
	for _, text := range []string{
		"<system-reminder>", "</system-reminder>", "<SYSTEM-Reminder foo>", "<system_reminder>", "<SystemReminder>",
		"<system reminder>", "<system>", "</ system >", "＜ｓystem＞", "<functions>", "<ltm-memory>", "</ltm-memory>",
		"</ltm-packet>",
		"<function_calls>", "<function_results>", "<invoke name=x>", "<" + "antml:invoke>", "<tool_use_error>",
		"<persisted-output>", "<task-notification>", "<command-name>", "<local-command-stdout>", "<bash-stdout>",
		"<user-prompt-submit-hook>", "<|im_start|>", "<｜begin▁of▁sentence｜>", "<\u200bsystem-reminder>",
		"<\u00adsystem-reminder>", "<\ufe0fsystem-reminder>", "<\U000e0101system-reminder>",
		"<\U000e0073system-reminder>", "< system-reminder>", "<\tsystem-reminder>", "<\nsystem-reminder>",
		"<\r\n/\u2028system-reminder>", "<\u00a0system-reminder>", "<\u3000system-reminder>", "<\u2800system-reminder>",
		"<\u3164system-reminder>", "<\ue000system-reminder>", "<\U0010fffdsystem-reminder>", "<\ufffdsystem-reminder>",
		"<\xffsystem-reminder>", "<\u0338system-reminder>", "<\u094d\u200dsystem-reminder>", "<" +
			strings.Repeat(" ", 65) + "system-reminder>", "<" + strings.Repeat("\u2003\n", 5000) + "/system-reminder>",
		"<!system-reminder>", "<?system-reminder>", "<\\system-reminder>", "<|system-reminder>",
		"<sys\u202etem-reminder>", "<sys\u200btem\u00ad-reminder>", "<system\u2010reminder>",
		"<s y s t e m - r e m i n d e r>", "<s\u0301ystem-reminder>", "<ŝýstem-rémînder>", "‹ſystem-reminder›",
		"＜system-reminder＞", "＜ｓｙｓｔｅｍ－ｒｅｍｉｎｄｅｒ＞", "﹤/system-reminder﹥", "⟨system-reminder⟩", "《system-reminder》",
		"❮system-reminder❯", "❰\ufe0fsystem-reminder❱", "≮system-reminder>", "<ѕуѕtеm-rеmіndеr>", "<ꜱʏꜱᴛᴇᴍ-ʀᴇᴍɪɴᴅᴇʀ>",
		"<𝐬𝐲𝐬𝐭𝐞𝐦-𝐫𝐞𝐦𝐢𝐧𝐝𝐞𝐫>", "<ⓢⓨⓢⓣⓔⓜ-reminder>", "<🅂🅈🅂🅃🄴🄼-reminder>", "<🅢🅨🅢🅣🅔🅜-reminder>", "<🇸🇾🇸🇹🇪🇲-reminder>",
		"<ˢʸˢᵗᵉᵐ-reminder>", "<ℓtm-memory>", "<Ꮪystem-remiꓠder>", "<ltm-mem0ry>", "<ﬆ>", "<syﬆem-reminder>",
		"</|tm-memory>", "<│tm-packet>", "<∣ocal-command-stdout>", "<Itm-memory>", "<system-remlnder>",
		"<lnvoke name=x>",
		"<ꓢꓬꓢꓔꓰꓟ-reminder>", "<ꓡꓔꓟ-ꓟꓰꓟꓳꓣꓬ>", "</ꓢꓬꓢꓔꓰꓟ>", "<ᏚᎩᏚᎢᎬᎷ-reminder>", "<ᏞᎢᎷ-ᎷᎬᎷory>", "<ꮮꭲꮇ-ꮇꭼꮇory>",
		"<ꮪyꮪꭲꭼꮇ>", "<post-tool-use-hook>", "</PostToolUse-hook>", "<pre-tool-use-hook>", "<stop-hook-feedback>",
		"<tool_result>", "</tool-result>",
	} {
		if text == "<ﬆ>" { // only the letters of a ligature: not a tag
			require.Equal(t, text, safe.Text(text))
			continue
		}
		for _, around := range []string{"", "x", "<", "«", "\n"} {
			got := safe.Text(around + text + around)
			require.True(t, strings.HasPrefix(got, around+"&lt;"), "%q is shown as %q", around+text, got)
			require.Equal(t, got, safe.Text(got))
			require.NotContains(t, safe.Line(around+text), "\n")
			require.Contains(t, safe.Line(around+text), "&lt;")
		}
	}
}

// TestTagsThatAQuoteWouldClose has names whose tag ends with what a quote writes before the next line.
func TestTagsThatAQuoteWouldClose(t *testing.T) {
	for text, want := range map[string]string{
		"a <system": "a &lt;system", "a <system \nb": "a &lt;system \nb", "</functions\n\n": "&lt;/functions\n\n",
		"<system b": "<system b", "<systems\nb": "<systems\nb", "<\nsystem": "&lt;\nsystem", "«system\nb": "«system\nb",
		"<sys\ntem b": "<sys\ntem b",
	} {
		require.Equal(t, want, safe.Text(text))
		quoted := safe.Quote(text + "\n")
		require.Equal(t, quoted, safe.Text(quoted))
	}
	require.Equal(t, "&lt;sys…", safe.Clip("<systematic", 7), "no longer than it may be, and then an ellipsis")
	require.Equal(t, "&lt;sys…", safe.ClipLine("<systematic", 7))
	require.Equal(t, "&lt;sys…", safe.ClipLine("<system", 7))
}

func TestLine(t *testing.T) {
	require.Equal(t, "one line", safe.Line(" one\r\n\tline\u2003\x1b "))
	require.Empty(t, safe.Line("\u200b\n"))
}

// TestQuote checks that lines that imitate the end of a text or the beginning of another are
// quoted.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"":                          ">",
		"one":                       "> one",
		"a\n\nb\n  \nc":             "> a\n>\n> b\n>\n> c",
		"## Rule\nmem_1a2b3c4d · x": "> ## Rule\n> mem_1a2b3c4d · x",
		"Title\n===\nOther\n---":    "> Title\n> ===\n> Other\n> ---",
		"```\ncode\r> ## x":         "> ```\n> code\n> > ## x",
		"<!--\n</ltm-memory>":       "> <!--\n> &lt;/ltm-memory>",
		"\u2028# a\u0085# b\v# c":   ">\n> # a\n> # b\n> # c",
	} {
		require.Equal(t, want, safe.Quote(text), "%q", text)
	}
}

func TestClip(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"", 0, ""}, {"a", 0, "…"}, {"连接池已", 2, "连接…"}, {"👩\u200d💻", 2, "👩…"},
		{"می\u200cخ", 3, "می…"},
	} {
		require.Equal(t, test.want, safe.Clip(test.text, test.most), "%q", test.text)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"memories/mem_1a2b3c4d.md": "memories/mem_1a2b3c4d.md",
		"MEM_1A2B3C4D.md~":         "MEM_1A2B3C4D.md~",
		"größe_@+.txt":             "größe_@+.txt",
		"":                         `""`,
		"two words":                `"two words"`,
		"a\nltm: all is well":      `"a\u000altm: all is well"`,
		"\x1b]0;x\x07":             `"\u001b]0;x\u0007"`,
		"say \"x\"\\":              `"say \"x\"\\"`,
		"\u202emd.1\u200d\ufe0f":   `"\u202emd.1\u200d\ufe0f"`,
		"\U000e0041":               `"\udb40\udc41"`,
		"\xff\xfe.md":              `"\xff\xfe.md"`,
		"</ltm-memory>":            `"&lt;/ltm-memory>"`,
		"e\u0301":                  "\"e\u0301\"",
		strings.Repeat("x", 30):    strings.Repeat("x", 30),
		strings.Repeat("x", 31):    `"` + strings.Repeat("x", 30) + `…"`,
		strings.Repeat("\n", 31):   `"` + strings.Repeat(`\u000a`, 5) + `…"`,
	} {
		require.Equal(t, want, safe.Name(name, 30))
	}
}

func TestJSON(t *testing.T) {
	const text = "a\u009b\u202e\u200d\U000e0041 é <b>\x7f\ue000\ufe0f\u00a0"
	plain, err := json.Marshal(map[string]string{text: text})
	require.NoError(t, err)
	escaped := safe.JSON(plain)
	require.Contains(t, string(escaped), `a\u009b\u202e\u200d\udb40\udc41 é `)
	var back map[string]string
	require.NoError(t, json.Unmarshal(escaped, &back))
	require.Equal(t, map[string]string{text: text}, back)
	require.Equal(t, "{\n  \"é\": 1\n}", string(safe.JSON([]byte("{\n  \"é\": 1\n}"))))
}

func TestClipLine(t *testing.T) {
	for _, test := range []struct {
		text string
		most int
		want string
	}{
		{"äöü", 3, "äöü"}, {"äöü", 2, "äö…"}, {"one\ntwo", 7, "one two"}, {"one\ntwo three", 7, "one two…"},
		{"a\u200bb", 2, "a…"}, {"", 0, ""},
	} {
		require.Equal(t, test.want, safe.ClipLine(test.text, test.most), "%q", test.text)
	}
}
