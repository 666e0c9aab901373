package packet_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

const head = `"ltm_version":"0.2","id":"0123456789","created_at":"2026-08-28T09:15:30Z","goal":"g","next_step":"n"`

// with returns a packet with further members.
func with(members string) string { return "{" + head + "," + members + "}" }

// found lists faults as "kind path".
func found(err error) []string {
	var all []string
	for _, f := range packet.FaultsOf(err) {
		all = append(all, strings.TrimSpace(string(f.Kind)+" "+f.Path))
	}
	return all
}

// TestEveryFaultIsListed requires all faults, in the order of the document.
func TestEveryFaultIsListed(t *testing.T) {
	_, err := packet.Parse([]byte(`{
		"ltm_version": "0.1",
		"id": "short",
		"methods": [{"name": "Upper", "how": 1}, null],
		"goal": "",
		"decisions": [{"what": "w", "why": "y", "locked": "yes", "who": "me"}, {}],
		"attempts": [{"tried": "t", "outcome": "won", "confidence": "sure"}],
		"tags": ["ok", "not ok", "-", ""],
		"mood": {"deep": [1, 2]},
		"project": {"name": "a", "name": "b", "path": "/tmp"},
		"created_at": "soon",
		"constraints": ["\ud800", 7],
		"provenance": null
	}`))
	require.Equal(t, []string{
		"too_short /id",
		"newer",
		"pattern /methods/0/name", "type /methods/0/how", "missing /methods/0", "type /methods/1",
		"too_short /goal",
		"type /decisions/0/locked", "unknown /decisions/0", "missing /decisions/1", "missing /decisions/1",
		"choice /attempts/0/outcome", "newer /attempts/0", "choice /attempts/0/confidence",
		"pattern /tags/1", "pattern /tags/2", "too_short /tags/3",
		"unknown",
		"duplicate /project", "unknown /project",
		"time /created_at",
		"encoding /constraints/0", "type /constraints/1",
		"type /provenance",
		"missing",
	}, found(err))
	require.EqualError(t, err, `/id: has 5 characters, at least 10 are needed; `+
		`has the key "methods", which only version 0.2 has; `+
		`/methods/0/name: has other characters than lower-case letters, digits and hyphens, or begins with a hyphen; `+
		`/methods/0/how: is a number, a text is needed; /methods/0: "when_applicable" is missing; `+
		`/methods/1: is null, an object is needed; /goal: is empty; `+
		`/decisions/0/locked: is a text, true or false is needed; /decisions/0: has the unknown key "who"; `+
		`/decisions/1: "what" is missing; and 15 more`)
}

// TestWithoutAVersionTheRestIsCheckedToo uses the rules of the latest version, except that those
// of an unknown version are not known.
func TestWithoutAVersionTheRestIsCheckedToo(t *testing.T) {
	for version, want := range map[string][]string{
		``:                      {"no_version", "choice /attempts/0/outcome", "missing", "missing", "missing", "missing"},
		`"ltm_version":null,`:   {"no_version /ltm_version", "choice /attempts/0/outcome", "missing", "missing", "missing", "missing"},
		`"ltm_version":"",`:     {"no_version /ltm_version", "choice /attempts/0/outcome", "missing", "missing", "missing", "missing"},
		`"ltm_version":"0.3",`:  {"version /ltm_version"},
		`"ltm_version":"0.2 ",`: {"version /ltm_version"},
	} {
		_, err := packet.Parse([]byte(`{` + version + `"attempts":[{"tried":"t","outcome":"o","confidence":"low"}]}`))
		require.Equal(t, want, found(err), version)
	}
}

// TestLimits tries every limit of the protocol: what is as long as allowed, and one more.
func TestLimits(t *testing.T) {
	text := func(n int) string { return `"` + strings.Repeat("é", n) + `"` }
	slug := func(n int) string { return `"` + strings.Repeat("a", n) + `"` }
	items := func(item string) func(int) string {
		return func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]" }
	}
	wrap := func(format string) func(int) string {
		return func(n int) string { return fmt.Sprintf(format, text(n)) }
	}
	for _, c := range []struct {
		key, path string
		least     int
		most      int
		value     func(int) string
	}{
		{"parent_id", "", 10, 64, text},
		{"project", "/name", 0, 128, wrap(`{"name":%s}`)},
		{"project", "/ref", 0, 256, wrap(`{"ref":%s}`)},
		{"success_criteria", "", 0, 16, items(`""`)},
		{"success_criteria", "/0", 0, 1024, wrap(`[%s]`)},
		{"constraints", "", 0, 32, items(`""`)},
		{"constraints", "/0", 0, 1024, wrap(`[%s]`)},
		{"open_questions", "", 0, 32, items(`""`)},
		{"open_questions", "/0", 0, 1024, wrap(`[%s]`)},
		{"decisions", "", 0, 64, items(`{"what":"","why":""}`)},
		{"decisions", "/0/what", 0, 1024, wrap(`[{"what":%s,"why":""}]`)},
		{"decisions", "/0/why", 0, 1024, wrap(`[{"what":"","why":%s}]`)},
		{"decisions", "/0/consequences", 0, 1024, wrap(`[{"what":"","why":"","consequences":%s}]`)},
		{"methods", "", 0, 32, items(`{"name":"m","when_applicable":"","how":""}`)},
		{"methods", "/0/name", 1, 128, func(n int) string {
			return `[{"name":` + slug(n) + `,"when_applicable":"","how":""}]`
		}},
		{"methods", "/0/when_applicable", 0, 1024, wrap(`[{"name":"m","when_applicable":%s,"how":""}]`)},
		{"methods", "/0/how", 0, 2048, wrap(`[{"name":"m","when_applicable":"","how":%s}]`)},
		{"attempts", "", 0, 64, items(`{"tried":"","outcome":"failed"}`)},
		{"attempts", "/0/tried", 0, 1024, wrap(`[{"tried":%s,"outcome":"failed"}]`)},
		{"attempts", "/0/learned", 0, 1024, wrap(`[{"tried":"","outcome":"failed","learned":%s}]`)},
		{"tags", "", 0, 16, items(`"t"`)},
		{"tags", "/0", 1, 32, func(n int) string { return "[" + slug(n) + "]" }},
		{"provenance", "/author_model", 0, 128, wrap(`{"author_model":%s}`)},
		{"provenance", "/author_human", 0, 128, wrap(`{"author_human":%s}`)},
	} {
		for _, n := range []int{c.least, c.most} {
			_, err := packet.Parse([]byte(with(`"` + c.key + `":` + c.value(n))))
			require.NoError(t, err, "%s%s with %d", c.key, c.path, n)
		}
		kind := "too_long"
		if strings.HasPrefix(c.value(0), "[]") {
			kind = "too_many_items"
		}
		_, err := packet.Parse([]byte(with(`"` + c.key + `":` + c.value(c.most+1))))
		require.Equal(t, []string{kind + " /" + c.key + c.path}, found(err))
		if c.least > 0 {
			_, err = packet.Parse([]byte(with(`"` + c.key + `":` + c.value(c.least-1))))
			require.Equal(t, []string{"too_short /" + c.key + c.path}, found(err))
		}
	}
	for hash, ok := range map[string]bool{strings.Repeat("0f", 32): true, strings.Repeat("0f", 32) + "0": false,
		strings.Repeat("0", 63): false, strings.Repeat("0g", 32): false, strings.Repeat("0F", 32): false, "": false} {
		_, err := packet.Parse([]byte(with(`"provenance":{"source_hash":"sha256:` + hash + `"}`)))
		require.Equal(t, ok, err == nil, hash)
	}
	for key, limits := range map[string][2]int{"id": {10, 64}, "goal": {1, 1024}, "next_step": {1, 1024}} {
		for n, ok := range map[int]bool{limits[0] - 1: false, limits[0]: true, limits[1]: true, limits[1] + 1: false} {
			_, err := packet.Parse([]byte(strings.Replace("{"+head+"}", `"`+key+`":"`+map[string]string{"id": "0123456789",
				"goal": "g", "next_step": "n"}[key]+`"`, `"`+key+`":`+text(n), 1)))
			require.Equal(t, ok, err == nil, "%s with %d: %v", key, n, err)
		}
	}
}

// TestNullAndOtherTypes puts a value of every other type in the place of each field.
func TestNullAndOtherTypes(t *testing.T) {
	for key, good := range map[string]string{
		"parent_id": `"0123456789"`, "project": `{}`, "success_criteria": `[]`, "constraints": `[]`, "decisions": `[]`,
		"methods": `[]`, "attempts": `[]`, "open_questions": `[]`, "tags": `[]`, "provenance": `{}`,
	} {
		_, err := packet.Parse([]byte(with(`"` + key + `":` + good)))
		require.NoError(t, err)
		for _, value := range []string{`null`, `true`, `0`, `1e999999999`, `-0.0`, `"` + strings.Repeat("a", 12) + `"`, `[]`, `{}`} {
			if value[0] == good[0] {
				continue
			}
			_, err := packet.Parse([]byte(with(`"` + key + `":` + value)))
			require.Equal(t, []string{"type /" + key}, found(err), value)
		}
	}
}

// TestNotJSON tries what JSON does not allow. The message names the line and the column.
func TestNotJSON(t *testing.T) {
	for text, where := range map[string]string{
		``:                       `line 1, column 1 has the end instead of the rest`,
		" \n ":                   `line 2, column 2 has the end instead of the rest`,
		`{`:                      `column 2 has the end instead of the rest`,
		`{"a"`:                   `column 5 has the end instead of the rest`,
		`{"a":1,}`:               `column 8 has '}' instead of a key in quotes`,
		`{"a":1 "b":2}`:          `column 8 has '"' after object key:value pair`,
		`{a:1}`:                  `column 2 has 'a' instead of a key in quotes`,
		`{'a':1}`:                `column 2 has '\'' instead of a key in quotes`,
		`{"a":[1,]}`:             `column 9 has ']' instead of a value`,
		`{"a":[1 2]}`:            `column 9 has '2' after array element`,
		`{"a":NaN}`:              `column 6 has 'N' instead of a value`,
		`{"a":Infinity}`:         `column 6 has 'I' instead of a value`,
		`{"a":-Infinity}`:        `column 7 has 'I' in numeric literal`,
		`{"a":01}`:               `column 7 has '1' after object key:value pair`,
		`{"a":.5}`:               `column 6 has '.' instead of a value`,
		`{"a":1.}`:               `column 8 has '}' after decimal point in numeric literal`,
		`{"a":1e}`:               `column 8 has '}' in exponent of numeric literal`,
		`{"a":+1}`:               `column 6 has '+' instead of a value`,
		`{"a":tru}`:              `column 9 has '}' in literal true (expecting 'e')`,
		`{"a":truex}`:            `column 10 has 'x' after object key:value pair`,
		`{"a":"b`:                `column 8 has the end instead of the rest`,
		`{"a":"b\`:               `column 8 has '\\' in string escape code`,
		`{"a":"\x41"}`:           `column 8 has 'x' in string escape code`,
		`{"a":"\u12"}`:           `column 11 has '"' in \u hexadecimal character escape`,
		`{"a":"\ud800\u12"}`:     `column 17 has '"' in \u hexadecimal character escape`,
		"{\"a\":\"b\nc\"}":       `column 8 has '\n' in string literal`,
		"{\"a\":\"b\x00c\"}":     `column 8 has '\x00' in string literal`,
		"{\"a\":\"\\t\tc\"}":     `column 9 has '\t' in string literal`,
		`// no` + "\n{}":         `column 1 has '/' instead of a value`,
		`{"a":1}{`:               `column 8 has '{' after top-level value`,
		`{"a":1} x`:              `column 9 has 'x' after top-level value`,
		"{\"a\":1}\x00":          `column 8 has '\x00' after top-level value`,
		"{\"é\":1,\n \"b\":\v":   `line 2, column 6 has '\v' instead of a value`,
		"{\u00a0}":               `column 2 has '\u00a0' instead of a key in quotes`,
		"\xff{}":                 `column 1 has the byte 0xff instead of a value`,
		"{\"a\":\u202e}":         `column 6 has '\u202e' instead of a value`,
		"\ufeff{}":               `it begins with a byte order mark, which JSON does not allow`,
		"{\"a\":\"\\u00\x100\"}": `column 11 has '\x10' in \u hexadecimal character escape`,
	} {
		_, err := packet.Parse([]byte(text))
		require.Equal(t, []string{"syntax"}, found(err), "%q", text)
		require.ErrorContains(t, err, where, "%q", text)
	}
	for _, text := range []string{`null`, `true`, `1`, `"{}"`, `[]`, ` [{}] `} {
		_, err := packet.Parse([]byte(text))
		require.Equal(t, []string{"not_object"}, found(err), text)
	}
}

// TestSpace allows white space between tokens, and counts it.
func TestSpace(t *testing.T) {
	spaced := " \t\r\n" + strings.NewReplacer(":\"", " :\t\"", ",", "\r\n, ", "{", "{ ", "}", "\n}").
		Replace("{"+head+`,"tags":["a","b"],"project":{}}`) + "\n"
	p, err := packet.Parse([]byte(spaced))
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, p.Tags)

	_, err = packet.Parse([]byte(spaced + strings.Repeat(" ", packet.MaxBytes-len(spaced))))
	require.NoError(t, err)
	_, err = packet.Parse([]byte(spaced + strings.Repeat(" ", packet.MaxBytes-len(spaced)+1)))
	require.EqualError(t, err, "it has 32769 bytes, at most 32768 are allowed")
}

// TestTextsKeepTheirCharacters reads every kind of escape.
func TestTextsKeepTheirCharacters(t *testing.T) {
	p, err := packet.Parse([]byte(with(`"constraints":["\"\\\/\b\f\n\r\t","\u0000\u001f\u007f\u00E9\u20AC",` +
		`"\ud83c\udf0a 🌊 \uFFFD","\u2028\u003C","\ufdd0\uffff","é"]`)))
	require.NoError(t, err)
	require.Equal(t, []string{"\"\\/\b\f\n\r\t", "\x00\x1f\x7fé€", "🌊 🌊 \ufffd", "\u2028<", "\ufdd0\uffff", "é"},
		p.Constraints)
	canonical, err := p.Canonical()
	require.NoError(t, err)
	require.Contains(t, string(canonical), `["\"\\/\b\f\n\r\t","\u0000\u001f`+"\x7fé€\",\"🌊 🌊 \ufffd\",\"\u2028<\"")
}

// TestBrokenEncodingIsRefused does not replace characters without a word.
func TestBrokenEncodingIsRefused(t *testing.T) {
	for _, text := range []string{`\ud800`, `\udc00`, `a\udfffb`, `\ud800\ud800`, `\ud800\n`, `\udc00\ud800`, `\ud800x`,
		`\ud800\u0041`, "\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80", `\n` + "\xf8", "\xf4\x90\x80\x80"} {
		_, err := packet.Parse([]byte(with(`"constraints":["fine","` + text + `"],"open_questions":["` + text + `"]`)))
		require.Equal(t, []string{"encoding /constraints/1", "encoding /open_questions/0"}, found(err), "%q", text)
	}
	_, err := packet.Parse([]byte(with(`"tags":["\ud800"],"parent_id":"\udc00"`)))
	require.Equal(t, []string{"encoding /tags/0", "encoding /parent_id", "too_short /parent_id"}, found(err))
	_, err = packet.Parse([]byte(with(`"go` + "\xff" + `al":"", "tag\ud800": 1`)))
	require.Equal(t, []string{"unknown", "unknown"}, found(err))
	p := packet.Packet{Version: "0.1", ID: "0123456789", CreatedAt: "2026-08-28T09:15:30Z", Goal: "\xff", NextStep: "n"}
	require.Equal(t, []string{"encoding /goal"}, found(p.Check()))
}

// TestDuplicateKeys refuses them everywhere, also when the values are the same or spelled in
// another way.
func TestDuplicateKeys(t *testing.T) {
	for members, want := range map[string][]string{
		`"goal":"g"`:                 {"duplicate"},
		`"go\u0061l":"g"`:            {"duplicate"},
		`"Goal":"g"`:                 {"unknown"},
		`"x":1,"x":1`:                {"unknown", "duplicate", "unknown"},
		`"ltm_version":"0.1"`:        {"duplicate"},
		`"project":{},"project":{}`:  {"duplicate"},
		`"project":{"x":{},"x":[1]}`: {"unknown /project", "duplicate /project", "unknown /project"},
		`"decisions":[{"what":"a","why":"b","why":"c"}]`: {"duplicate /decisions/0"},
	} {
		_, err := packet.Parse([]byte(with(members)))
		require.Equal(t, want, found(err), members)
	}
}

// TestHugeInputs are answered at once, with few faults.
func TestHugeInputs(t *testing.T) {
	fill := func(s string, n int) string { return strings.Repeat(s, n/len(s)) }
	const most = packet.MaxStoredBytes - 4096
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"one more byte":      {fill(" ", packet.MaxStoredBytes+1), []string{"too_large"}},
		"only space":         {fill(" ", most), []string{"syntax"}},
		"open lists":         {fill("[", most), []string{"nesting"}},
		"open objects":       {fill(`{"a":`, most), []string{"nesting"}},
		"64 deep":            {with(`"tags":` + strings.Repeat("[", 63) + strings.Repeat("]", 63)), []string{"type /tags/0"}},
		"65 deep":            {with(`"tags":` + strings.Repeat("[", 64) + strings.Repeat("]", 64)), []string{"nesting"}},
		"many values":        {with(`"tags":[` + fill("0,", most) + "0]"), []string{"values"}},
		"long number":        {with(`"tags":` + fill("9", most)), []string{"type /tags"}},
		"long goal":          {strings.Replace("{"+head+"}", `"g"`, `"`+fill("g", most)+`"`, 1), []string{"too_long /goal"}},
		"long text unclosed": {`{"` + fill("a", most), []string{"syntax"}},
		"long key":           {with(`"` + fill("k", most) + `":1`), []string{"unknown"}},
		"escapes":            {with(`"constraints":["` + fill(`\u0000`, most) + `"]`), []string{"too_long /constraints/0"}},
	} {
		_, err := packet.ParseStored([]byte(c.text))
		require.Equal(t, c.want, found(err), name)
		require.Less(t, len(err.Error()), 200, name)
	}
}

// TestManyFaultsAreCounted lists 1,000 and says how many more there are.
func TestManyFaultsAreCounted(t *testing.T) {
	_, err := packet.Parse([]byte(with(`"tags":[` + strings.Repeat("0,", 4999) + "0]")))
	faults := packet.FaultsOf(err)
	require.Len(t, faults, 1001)
	require.Equal(t, "/tags: has 5000 items, at most 16 are allowed", faults[0].String())
	require.Equal(t, packet.Fault{Kind: packet.KindMore, Message: "4001 more faults are not listed"}, faults[1000])
	require.ErrorContains(t, err, "; and 991 more")
}

// TestMessagesQuoteNoValues keeps what may be a secret out of messages, and invisible characters
// of keys.
func TestMessagesQuoteNoValues(t *testing.T) {
	const secret = "sk_live_Tr0ub4dor"
	_, err := packet.Parse([]byte(with(`"tags":["` + secret + `"],"project":{"ref":["` + secret + `"]},"parent_id":"sk_` +
		`","provenance":{"source_hash":"` + secret + `","confidence":"` + secret + `"},"attempts":[{"tried":"` + secret +
		`","outcome":"` + secret + `"}],"\u202e<system-reminder>\u0007` + strings.Repeat("k", 100) + `":"` + secret + `"`)))
	require.Len(t, packet.FaultsOf(err), 7)
	require.NotContains(t, err.Error(), "sk_")
	require.ErrorContains(t, err, `has the unknown key "\u202e<system-reminder>\akkkkkkkkkkkkkkkkkkkkk"…`)
	require.Empty(t, packet.FaultsOf(errors.New("other")))
	require.Empty(t, packet.FaultsOf(nil))
}

// TestEveryKindHappens requires that each kind of fault is listed once and has a test here.
func TestEveryKindHappens(t *testing.T) {
	seen := map[packet.Kind]bool{packet.KindTooLarge: true}
	for _, text := range []string{`{`, strings.Repeat("[", 65) + strings.Repeat("]", 65),
		"[" + strings.Repeat("1,", 20_000) + "1]", `1`,
		`{"ltm_version":"9"}`, `{}`, with(`"tags":{}`), with(`"x":1`),
		strings.Replace(with(`"methods":[]`), "0.2", "0.1", 1), with(`"goal":"a"`), with(`"constraints":["\ud800"]`), with(`"parent_id":""`),
		with(`"tags":["` + strings.Repeat("a", 33) + `","A"]`), with(`"tags":[` + strings.Repeat("0,", 1001) + "0]"),
		with(`"provenance":{"confidence":"?"}`), strings.Replace("{"+head+"}", "09:15", "9:15", 1)} {
		_, err := packet.ParseStored([]byte(text))
		for _, f := range packet.FaultsOf(err) {
			seen[f.Kind] = true
			require.NotEmpty(t, f.Message)
		}
	}
	listed := map[packet.Kind]bool{}
	for _, kind := range packet.Kinds() {
		require.True(t, seen[kind], kind)
		require.False(t, listed[kind], kind)
		listed[kind] = true
	}
	require.Len(t, listed, len(seen))
}

// TestParseDraft lets what a writer does not know be missing, and nothing else.
func TestParseDraft(t *testing.T) {
	p, err := packet.ParseDraft([]byte(` {"goal":"g","next_step":"n","success_criteria":["c"],"project":{"name":"x"}} `))
	require.NoError(t, err)
	require.Equal(t, packet.Packet{Goal: "g", NextStep: "n", SuccessCriteria: []string{"c"},
		Project: &packet.Project{Name: "x"}}, p)
	p, err = packet.ParseDraft([]byte(with(`"tags":["a"]`)))
	require.NoError(t, err)
	whole, err := packet.Parse([]byte(with(`"tags":["a"]`)))
	require.NoError(t, err)
	require.Equal(t, whole, p)
	for text, want := range map[string][]string{
		`{}`:                                     {"missing", "missing"},
		`[]`:                                     {"not_object"},
		`{"goal":"g","next_step":"n","id":null}`: {"type /id"},
		`{"goal":"g","next_step":"n","id":""}`:   {"too_short /id"},
		`{"goal":"g","next_step":"n","who":1}`:   {"unknown"},
		`{"goal":"g","next_step":"n","decisions":[{}]}`:                             {"missing /decisions/0", "missing /decisions/0"},
		`{"goal":"g","next_step":"n","ltm_version":"0.1","parent_id":"0123456789"}`: {"newer"},
		`{"goal":"g","next_step":"n","ltm_version":"0.3"}`:                          {"version /ltm_version"},
		`{"goal":"g","next_step":"n","ltm_version":""}`:                             {"no_version /ltm_version"},
		`{"goal":"g","next_step":"n","created_at":"now"}`:                           {"time /created_at"},
		strings.Repeat(" ", packet.MaxStoredBytes) + "{}":                           {"too_large"},
	} {
		_, err := packet.ParseDraft([]byte(text))
		require.Equal(t, want, found(err), "%.80q", text)
	}
}
