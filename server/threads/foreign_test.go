package threads_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/server/conversation"
	"ltm/server/threads"
	"ltm/tests/golden"
)

// imported is when the dumps of tests are imported.
func imported() time.Time { return time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC) }

func convert(form, user, dump string) (file string, remarks []string, err error) {
	var b bytes.Buffer
	f := threads.Foreign{Form: form, User: user, Now: imported()}
	remarks, err = threads.Convert(f, strings.NewReader(dump), &b)
	return b.String(), remarks, err
}

// TestForeignDumps compares what becomes of a dump of each system, and what is said of it, with golden files.
func TestForeignDumps(t *testing.T) {
	for _, form := range threads.ForeignForms() {
		t.Run(form, func(t *testing.T) {
			dump, err := os.ReadFile(filepath.Join("testdata", "foreign", form+".json"))
			require.NoError(t, err)
			file, remarks, err := convert(form, "", string(dump))
			require.NoError(t, err)
			_, err = threads.CheckImport(threads.Subject{App: "a"}, strings.NewReader(file))
			require.NoError(t, err)
			golden.Require(t, filepath.Join("testdata", "foreign", form+".ndjson"),
				file+strings.Join(remarks, "\n")+"\n")
		})
	}
}

// TestForeignFormsOfRows checks that the other ways of writing the same rows come to the same.
func TestForeignFormsOfRows(t *testing.T) {
	one := `{"id":"x","memory":"Likes tea","user_id":"mira","created_at":"2026-01-01T00:00:00Z"}`
	want, _, err := convert("mem0", "", one)
	require.NoError(t, err)
	for _, same := range []string{"[" + one + "]",
		`{"results":[` + one + `]}`, `{"memories":[` + one + `],"relations":[]}`,
		strings.Replace(one, `,"user_id":"mira"`, "", 1), "\ufeff" + one,
		strings.Replace(one, "2026-01-01T00:00:00Z", "2026-01-01", 1)} {
		got, _, err := convert("mem0", "mira", same)
		require.NoError(t, err, same)
		require.Equal(t, want, got, same)
	}
	thread := `{"id":"11111111-1111-4111-8111-111111111111","user_id":"mira","created_at":"2026-01-01T00:00:00Z"}`
	want, _, err = convert("cortexltm", "", `{"ltm_threads":[`+thread+`]}`)
	require.NoError(t, err)
	got, _, err := convert("cortexltm", "", `{"table":"public.ltm_threads","row":`+thread+"}\n")
	require.NoError(t, err)
	require.Equal(t, want, got)
	want, _, err = convert("zep", "", `[{"session_id":"s","user_id":"mira","created_at":"2026-01-01T00:00:00Z"}]`)
	require.NoError(t, err)
	got, _, err = convert("zep", "mira", `{"threads":[{"thread_id":"s","created_at":"2026-01-01T00:00:00Z"}]}`)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestForeignDumpsAreRefused checks what is no dump, and that the error says where.
func TestForeignDumpsAreRefused(t *testing.T) {
	for _, c := range []struct{ form, dump, says string }{
		{"letta", `[]`, `there is no form "letta"; allowed: [cortexltm mem0 zep]`},
		{"mem0", ``, "the file is empty"},
		{"mem0", `[`, "not JSON at byte"},
		{"mem0", `[{"memory":"x","user_id":"u"}] letter`, "not JSON at byte"},
		{"mem0", `7`, "value 1: not an object"},
		{"mem0", `[{"memory":"x"}]`, "memory 1: it does not say whose it is"},
		{"mem0", `[{"memory":" ","user_id":"u"}]`, `memory 1: it has no "memory"`},
		{"mem0", `[{"memory":{},"user_id":"u"}]`, `"memory" is not a text`},
		{"mem0", `[{"memory":"x","user_id":"u","created_at":"soon"}]`, `"created_at" is not a time: "soon"`},
		{"mem0", `[{"memory":"x","user_id":"u\u0007"}]`, "user must be UTF-8 of characters that print"},
		{"cortexltm", `{"ltm_thread":[]}`, `there is no table "ltm_thread"`},
		{"cortexltm", `{"ltm_threads":[7]}`, "ltm_threads is not a list of objects"},
		{"cortexltm", `{"ltm_threads":[{"id":"x"}]}`, "ltm_threads, row 1: the id is not a UUID"},
		{"cortexltm", `{"ltm_events":[{"id":"11111111-1111-4111-8111-111111111111","created_at":"2026-01-01",
			"thread_id":"t"}]}`, `ltm_events, row 1: its thread "t" is not in ltm_threads`},
		{"zep", `{"episodes":[]}`, `it has none of "sessions", "threads", "messages" and "facts"`},
		{"zep", `{"sessions":[{"user_id":"u"}]}`, `session 1: it has no "session_id"`},
		{"zep", `{"messages":[{"user_id":"u","content":"x"}]}`, `message 1: it has no "session_id"`},
		{"zep", `{"sessions":[{"session_id":"s","user_id":"u"},{"session_id":"s","user_id":"v"}]}`, "is of two users"},
	} {
		_, _, err := convert(c.form, "", c.dump)
		require.ErrorIs(t, err, threads.ErrInvalid, c.dump)
		require.ErrorContains(t, err, c.says, c.dump)
	}
}

// TestBadMemoriesAreLeftOut reads the others, and names each.
func TestBadMemoriesAreLeftOut(t *testing.T) {
	dump := `{"results":[{"memory":"Likes tea","user_id":"u"},{"memory":"","user_id":"u"},
		{"memory":"Sails","user_id":"u","created_at":"soon"},{"memory":"Has a dog","user_id":"u"}]}`
	_, _, err := convert("mem0", "", dump)
	require.ErrorContains(t, err, `value 1: memory 2: it has no "memory"`)
	var b bytes.Buffer
	remarks, err := threads.Convert(threads.Foreign{Form: "mem0", Now: imported(), SkipBad: true},
		strings.NewReader(dump), &b)
	require.NoError(t, err)
	require.Contains(t, remarks, `value 1: memory 2: it has no "memory"; left out: 1`)
	require.Contains(t, remarks, `value 1: memory 3: "created_at" is not a time: "soon"; left out: 1`)
	rows, err := threads.CheckImport(threads.Subject{App: "a"}, &b)
	require.NoError(t, err)
	require.Equal(t, int64(2), rows["act"])
}

// TestForeignRowsAreMadeToFit checks what becomes of values that the form does not have, and that it is said.
func TestForeignRowsAreMadeToFit(t *testing.T) {
	item := `{"ltm_master_items":[{"id":"11111111-1111-4111-8111-111111111111","user_id":"u","created_at":"2026-01-01",
		"text":"Sings","confidence":0.9,"bucket":"PROFILE"}]}`
	for _, c := range []struct{ form, dump, has, remark string }{
		{"zep", `{"session_id":"s","messages":[{"content":"x","role":"a\ud83d\u0007b"}]}`, `"agent":"ab"`,
			"names of agents with characters that do not print, which are left out or made blanks: 1"},
		{"zep", `{"session_id":"s","messages":[{"content":"x","role":"` + strings.Repeat("é", 200) + `"}]}`,
			`"agent":"` + strings.Repeat("é", 128) + `"`, "names of agents longer than 256 bytes, which are cut: 1"},
		{"zep", `[{"session_id":"s","summary":{"content":"first"}},{"session_id":"s","summary":{"content":"second"}}]`,
			`"written":"first"`, "second summaries of a session left out: 1"},
		{"mem0", `{"memory":"Likes\u0000 tea","run_id":"r\u200b"}`, `"text":"Likes tea","session":"r"`,
			"the character U+0000, which is left out: 1"},
		{"zep", `{"session_id":"s","metadata":{"a\u0000":"b\u0000\u0000\\u0000"}}`, `"meta":{"a":"b\\u0000"`,
			"the character U+0000, which is left out: 3"},
		{"zep", `{"session_id":"s","messages":[{"content":"x","role":"New\nYork　東京 "}]}`, `"agent":"New York 東京"`,
			"names of agents with characters that do not print, which are left out or made blanks: 1"},
		{"cortexltm", item, `"bucket":"PROFILE"`, ""},
	} {
		file, remarks, err := convert(c.form, "u", c.dump)
		require.NoError(t, err, c.dump)
		require.Contains(t, file, c.has)
		if c.remark != "" {
			require.Contains(t, remarks, c.remark)
		}
		_, err = threads.CheckImport(threads.Subject{App: "a"}, strings.NewReader(file))
		require.NoError(t, err, file)
	}
	_, _, err := convert("cortexltm", "", strings.Replace(item, "PROFILE", "HOBBIES", 1))
	require.ErrorIs(t, err, threads.ErrInvalid)
	require.ErrorContains(t, err, `ltm_master_items, row 1: what it says of "u": the act {"id":"11111111-1111-4111-8111`)
	require.ErrorContains(t, err, `the bucket cannot be "HOBBIES"`)
	long := strings.Repeat("long ", 1<<18)
	for _, c := range []struct{ form, dump, says string }{
		{"mem0", `[{"memory":"x"}] [{"memory":"x"},{"memory":"` + long + `"}]`, `value 2: memory 2: what it says of "u": `},
		{"zep", `[{"session_id":"r"},{"session_id":"s","facts":["x","` + long + `"]}]`,
			`value 1: session 2: fact 2: what it says of "u": the act {`},
		{"zep", `{"facts":[{"fact":"` + long + `"}]}`, `value 1: fact 1: what it says of "u": the act {`},
		{"zep", `{"messages":[{"session_id":"s","content":"` + long + `"}]}`,
			`value 1: message 1: what it says of "u": the event {`},
	} {
		_, _, err := convert(c.form, "u", c.dump)
		require.ErrorIs(t, err, threads.ErrInvalid)
		require.ErrorContains(t, err, c.says)
	}
}

// TestEndedClaimsAreImportedAsEnded checks that what had ended in a dump does not hold, whatever the order of its
// dates: a fact may be told after its end, or without a beginning, and a row may be written once, in its last state.
func TestEndedClaimsAreImportedAsEnded(t *testing.T) {
	const end = `"invalid_at":"2020-01-01T00:00:00Z"`
	w := newWorld(t, threads.Models{})
	for form, dump := range map[string]string{
		"zep": `{"session_id":"s","messages":[{"uuid":"22222222-2222-4222-8222-222222222222","content":"x"}],
			"facts":[
			{"fact":"told later","created_at":"2025-01-01T00:00:00Z",` + end + `},
			{"fact":"undated",` + end + `},
			{"fact":"ended before it began","valid_at":"2021-01-01T00:00:00Z",` + end + `},
			{"fact":"ended at once","valid_at":"2020-01-01T00:00:00Z",` + end + `,
				"episodes":["22222222-2222-4222-8222-222222222222"]}]}`,
		"cortexltm": `{"ltm_threads":[{"id":"33333333-3333-4333-8333-333333333333","created_at":"2026-01-01"}],
			"ltm_events":[{"id":"44444444-4444-4444-8444-444444444444","created_at":"2026-01-01","actor":"user",
				"thread_id":"33333333-3333-4333-8333-333333333333","content":"x"}],
			"ltm_master_items":[{"id":"55555555-5555-4555-8555-555555555555","created_at":"2026-01-01",
				"text":"never changed","confidence":0.9,"bucket":"PROFILE","status":"deprecated"}],
			"ltm_master_evidence":[{"id":"66666666-6666-4666-8666-666666666666","created_at":"2026-01-01",
				"master_item_id":"55555555-5555-4555-8555-555555555555",
				"event_id":"44444444-4444-4444-8444-444444444444"}]}`,
	} {
		file, _, err := convert(form, w.who.User, dump)
		require.NoError(t, err)
		require.NotContains(t, file, "0001-01-01", "a date that was never said")
		_, err = w.Import(w.ctx, w.who, strings.NewReader(file))
		require.NoError(t, err)
	}
	all := w.claims()
	require.Len(t, all, 5)
	for text, state := range all {
		require.Equal(t, conversation.Deprecated, state, text)
	}
	told, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{AsOf: time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Empty(t, told)
}

// TestWhatHeldAgainIsImportedSo checks facts of the same words with several times, of which some meet or overlap.
func TestWhatHeldAgainIsImportedSo(t *testing.T) {
	fact := func(text, from, to string) string {
		f := fmt.Sprintf(`{"fact":%q,"valid_at":%q`, text, from)
		if to != "" {
			f += fmt.Sprintf(`,"invalid_at":%q`, to)
		}
		return f + "}"
	}
	item := func(id, made, changed, status string) string {
		return fmt.Sprintf(`{"id":"%s5555555-5555-4555-8555-555555555555","created_at":%q,"updated_at":%q,"status":%q,
			"text":"sings","confidence":0.9,"bucket":"PROFILE"}`, id, made, changed, status)
	}
	w := newWorld(t, threads.Models{})
	for form, dump := range map[string]string{
		"zep": `{"session_id":"s","facts":[` + strings.Join([]string{
			fact("again", "2023-01-01", ""), fact("Again", "2020-01-01", "2021-01-01"), fact("again", "2023-01-01", ""),
			fact("again and gone", "2020-01-01", "2021-01-01"), fact("again and gone", "2023-01-01", "2024-01-01"),
			fact("meets", "2020-01-01", "2021-01-01"), fact("meets", "2021-01-01", ""),
			fact("overlaps", "2020-01-01", "2022-01-01"), fact("overlaps", "2021-01-01", "2021-06-01"),
			fact("never ended", "2020-01-01", ""), fact("never ended", "2021-01-01", "2022-01-01"),
		}, ",") + `]}`,
		"cortexltm": `{"ltm_master_items":[` + item("1", "2020-01-01", "2021-01-01", "deprecated") + "," +
			item("2", "2023-01-01", "2023-01-01", "active") + `]}`,
	} {
		file, _, err := convert(form, w.who.User, dump)
		require.NoError(t, err)
		_, err = w.Import(w.ctx, w.who, strings.NewReader(file))
		require.NoError(t, err)
	}
	for _, c := range []struct {
		year int
		hold []string
	}{
		{2019, []string{}},
		{2020, []string{"Again", "again and gone", "meets", "never ended", "overlaps", "sings"}},
		{2021, []string{"meets", "never ended", "overlaps"}},
		{2022, []string{"meets", "never ended"}},
		{2023, []string{"Again", "again and gone", "meets", "never ended", "sings"}},
		{2024, []string{"Again", "meets", "never ended", "sings"}},
	} {
		found, err := w.ListClaims(w.ctx, w.who,
			threads.ClaimQuery{AsOf: time.Date(c.year, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 7, 0)})
		require.NoError(t, err)
		texts := []string{}
		for _, claim := range found {
			texts = append(texts, claim.Text)
		}
		slices.Sort(texts)
		require.Equal(t, c.hold, texts, c.year)
	}
	for text, state := range w.claims() {
		ended := text == "again and gone" || text == "overlaps"
		require.Equal(t, ended, state == conversation.Deprecated, text)
	}
	found, err := w.ListClaims(w.ctx, w.who, threads.ClaimQuery{States: []conversation.State{conversation.Active}})
	require.NoError(t, err)
	for _, claim := range found {
		require.GreaterOrEqual(t, len(claim.Evidence), 2, claim.Text)
	}
}

// FuzzConvert checks that whatever is converted can be imported.
func FuzzConvert(f *testing.F) {
	for _, form := range threads.ForeignForms() {
		dump, err := os.ReadFile(filepath.Join("testdata", "foreign", form+".json"))
		require.NoError(f, err)
		f.Add(form, string(dump))
	}
	f.Add("zep", `{"session_id":"s","facts":["x","x",{"content":"y","rating":7}],"messages":[{"role_type":"user"}]}`)
	f.Fuzz(func(t *testing.T, form, dump string) {
		file, _, err := convert(form, "someone", dump)
		if err != nil {
			require.ErrorIs(t, err, threads.ErrInvalid, fmt.Sprintf("%q", dump))
			return
		}
		_, err = threads.CheckImport(threads.Subject{App: "a"}, strings.NewReader(file))
		require.NoError(t, err, file)
	})
}
