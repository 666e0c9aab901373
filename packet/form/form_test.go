package form_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
	"ltm/packet/form"
)

const example = `<!-- a remark
over two lines -->
## Goal
Keep the clock right.
Within two seconds.

## next step
  Run the cold test.

## Done when
- Drift stays small.
* It is
  measured.

- It has a list:
    - one
    - two

## Decisions
- Use the crystal.
  why: The oscillator drifts
  a lot.
  rules out: A cheaper board.
  Locked.
- Log hourly.
why : Cheap.
  locked: no
- \locked is a word.
  \why: this is text
  why: Because.
  \\ is a backslash
## Tried
- Averaging.
  failed
  learned: Noise is not the cause.
  confidence: high
- The crystal
  outcome: succeeded
- Both
  partly
## Constraints
<!-- - none yet -->
-
- Flash is small.
## Open questions
## Methods
- calibrate
  when: New board.
  how: Run it.
## Checks
- make test
  passed
- make lint
  failed
## Tags
firmware, rtc
clock
## Continues
01K3Q8ZJ6M4T2V9XWBDN7RHE01
`

func TestParse(t *testing.T) {
	d, faults := form.Parse(example)
	require.Empty(t, faults)
	require.Equal(t, packet.Packet{
		Goal: "Keep the clock right.\nWithin two seconds.", NextStep: "Run the cold test.",
		SuccessCriteria: []string{"Drift stays small.", "It is\nmeasured.", "It has a list:\n  - one\n  - two"},
		Decisions: []packet.Decision{
			{What: "Use the crystal.", Why: "The oscillator drifts\na lot.", Consequences: "A cheaper board.",
				Locked: true},
			{What: "Log hourly.", Why: "Cheap."},
			{What: "\\locked is a word.\nwhy: this is text", Why: "Because.\n\\ is a backslash"},
		},
		Attempts: []packet.Attempt{
			{Tried: "Averaging.", Outcome: packet.Failed, Learned: "Noise is not the cause.", Confidence: packet.High},
			{Tried: "The crystal", Outcome: packet.Succeeded}, {Tried: "Both", Outcome: packet.Partial},
		},
		Constraints: []string{"Flash is small."},
		Methods:     []packet.Method{{Name: "calibrate", WhenApplicable: "New board.", How: "Run it."}},
		Tags:        []string{"firmware", "rtc", "clock"}, ParentID: "01K3Q8ZJ6M4T2V9XWBDN7RHE01",
	}, d.Packet)
	require.Equal(t, []form.Check{{"make test", true}, {"make lint", false}}, d.Checks)
	for place, line := range map[string]int{"/goal": 4, "/next_step": 8, "/success_criteria/1": 12,
		"/decisions/0/why": 20, "/decisions/2": 28, "/attempts/1/outcome": 37, "/constraints/0": 44, "/tags/2": 56,
		"/parent_id": 59, "/id": 0, "": 0, "/open_questions/0": 0} {
		require.Equal(t, line, d.Line(place), place)
	}
	dos, faults := form.Parse("\ufeff" + strings.ReplaceAll(example, "\n", "\r\n"))
	require.Empty(t, faults)
	require.Equal(t, d.Packet, dos.Packet)
}

// TestFaults lists everything in a text that has no meaning, with its line.
func TestFaults(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"empty":      {"", nil},
		"only words": {"\nhello\nthere\n", []string{`line 2: is before the first section; sections begin with a line such as "## Goal"`}},
		"an unknown section": {"## Gaol\nx\n", []string{"line 1: is not one of the sections: Goal, " +
			"Next step, Done when, Decisions, Tried, Constraints, Open questions, Methods, Checks, Tags, Continues"}},
		"a section twice": {"## Goal\nx\n## goal\ny\n", []string{`line 3: is a second section "Goal"`}},
		"no bullet": {"## Constraints\nx\n", []string{
			`line 2: has no "- " at its beginning, as the first line of an entry has`}},
		"an open comment": {"## Goal\nx\n<!-- y\n", []string{
			"line 3: has the beginning of a comment (<!--), and no line has its end (-->)"}},
		"a text behind a comment": {"<!-- y --> z\n", []string{"line 1: has a text behind the end of a comment (-->)"}},
		"parts": {"## Decisions\n- a\n- b\n  why: c\n  why: d\n  locked\n  not locked\n## Tried\n- e\n  failed\n" +
			"  worked\n- f\n## Methods\n- g\n## Checks\n- h\n-\n  passed\n- i\n  passed\n  failed\n", []string{
			`line 2: has no "why": add "why: THE REASON"`,
			`line 3: is "locked" and "not locked"`,
			`line 5: has "why" twice`,
			`line 9: is "failed" and "succeeded"`,
			`line 12: does not say how it ended: add "failed", "partial" or "succeeded"`,
			`line 14: has no "when": add "when: WHEN IT HELPS"`, `line 14: has no "how": add "how: WHAT TO DO"`,
			`line 16: does not say how it ended: add "passed" or "failed"`,
			`line 17: names no command`,
			`line 19: is "passed" and "failed"`,
		}},
		"a text behind a word": {"## Decisions\n- a\n  why: b\n  locked\n  for good\n", []string{
			`line 4: has a text behind "locked"`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, faults := form.Parse(c.text)
			var got []string
			for _, f := range faults {
				got = append(got, f.String())
			}
			require.Equal(t, c.want, got)
		})
	}
}

// TestFormatIsEmpty: a form that was not filled in has neither a text nor a fault.
func TestFormatIsEmpty(t *testing.T) {
	d, faults := form.Parse(form.Format(form.Draft{}, "a remark", "that ends --> here"))
	require.Empty(t, faults)
	require.Zero(t, d.Packet)
	require.Empty(t, d.Checks)
}

func TestWithRemarks(t *testing.T) {
	text := form.Format(form.Draft{Packet: packet.Packet{Goal: "g"}})
	once := form.WithRemarks(text, "Not stored:", []string{"line 1: x --> y"})
	require.Equal(t, "<!-- Not stored:\nline 1: x -- > y -->\n"+text, once)
	require.Equal(t, "<!-- Not stored:\nz -->\n"+text, form.WithRemarks(once, "Not stored:", []string{"z"}))
	d, faults := form.Parse(once)
	require.Empty(t, faults)
	require.Equal(t, "g", d.Packet.Goal)
}

func TestFlags(t *testing.T) {
	for text, want := range map[string]packet.Decision{
		"Use it: it works":              {What: "Use it", Why: "it works"},
		"Use it; why: it works":         {What: "Use it", Why: "it works"},
		"a: b; why: c; d: e":            {What: "a: b", Why: "c; d: e"},
		"a;why:b;Locked":                {What: "a", Why: "b", Locked: true},
		"a: b; locked; rules out: c; d": {What: "a", Why: "b", Consequences: "c; d", Locked: true},
		"a\nwhy: b\nc\nlocked":          {What: "a", Why: "b\nc", Locked: true},
		"use a; locked in: no":          {What: "use a; locked in", Why: "no"},
		"a; why: ":                      {What: "a"},
	} {
		got, faults := form.Decision(text)
		require.Empty(t, faults, text)
		require.Equal(t, want, got, text)
	}
	_, faults := form.Decision("a:b")
	require.Equal(t, []form.Fault{{0, `has no "why": add "why: THE REASON"`}}, faults)

	for text, want := range map[string]packet.Attempt{
		"x; failed": {Tried: "x", Outcome: packet.Failed},
		"x; worked; learned: y; z; confidence: high": {Tried: "x", Outcome: packet.Succeeded, Learned: "y; z",
			Confidence: packet.High},
		"x; outcome: won":   {Tried: "x", Outcome: "won"},
		"it failed; partly": {Tried: "it failed", Outcome: packet.Partial},
	} {
		got, faults := form.Attempt(text)
		require.Empty(t, faults, text)
		require.Equal(t, want, got, text)
	}
	_, faults = form.Attempt("x failed")
	require.Len(t, faults, 1)

	m, faults := form.Method("calibrate; when: new; how: run; it")
	require.Empty(t, faults)
	require.Equal(t, packet.Method{Name: "calibrate", WhenApplicable: "new", How: "run; it"}, m)
	_, faults = form.Method("calibrate")
	require.Len(t, faults, 2)

	for text, want := range map[string]form.Check{"make test: passed": {"make test", true},
		"a; b: c; failed": {"a; b: c", false}, "x; PASSED.": {"x", true}} {
		got, faults := form.ReadCheck(text)
		require.Empty(t, faults, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "make test", "; passed", "x: passed: failed", "x: passed y"} {
		_, faults := form.ReadCheck(text)
		require.NotEmpty(t, faults, text)
	}
}

// normal returns a text as the form gives it back.
func normal(s string) string {
	return strings.Trim(strings.ReplaceAll(s, "\r\n", "\n"), " \t\r\n")
}

// FuzzRoundTrip writes texts into every section, and reads them again.
func FuzzRoundTrip(f *testing.F) {
	f.Add("goal", "why: text", "- locked")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if strings.Contains(a+b+c, "\r") {
			t.Skip("line ends are made those of this system")
		}
		p := packet.Packet{Goal: a, NextStep: b, SuccessCriteria: []string{"1" + a, b + "1", "x\n" + c},
			Decisions: []packet.Decision{{What: a, Why: b, Consequences: c, Locked: len(a) > 3},
				{What: "x\n" + b, Why: "y\n" + a}},
			Attempts: []packet.Attempt{{Tried: c + "1", Outcome: packet.Failed, Learned: b, Confidence: packet.Low}},
			Methods:  []packet.Method{{Name: "m", WhenApplicable: c, How: "z\n" + a}}, Tags: []string{"rtc"},
			OpenQuestions: []string{"?" + c}, Constraints: []string{"!\n\n" + a}}
		checks := []form.Check{{"run\n" + b, true}, {"x" + c, false}}
		text := form.Format(form.Draft{Packet: p, Checks: checks}, a, b)
		d, faults := form.Parse(text)
		require.Empty(t, faults, "%s", text)
		texts := p.Texts()
		again := d.Packet.Texts()
		at := 0
		for _, want := range texts {
			if value := normal(want.Value); value != "" || at < len(again) && again[at].Path == want.Path {
				require.Equal(t, want.Path, again[at].Path, "%s", text)
				require.Equal(t, value, again[at].Value, "%s", text)
				at++
			}
		}
		require.Equal(t, p.Decisions[0].Locked, d.Packet.Decisions[0].Locked)
		for i, want := range checks {
			require.Equal(t, form.Check{normal(want.Command), want.Passed}, d.Checks[i])
		}
		twice, faults := form.Parse(form.Format(d))
		require.Empty(t, faults)
		require.Equal(t, d.Packet, twice.Packet)
	})
}

// FuzzParse reads any text.
func FuzzParse(f *testing.F) {
	f.Add(example)
	f.Fuzz(func(t *testing.T, text string) {
		d, faults := form.Parse(text)
		for i, fault := range faults {
			require.Positive(t, fault.Line)
			require.NotEmpty(t, fault.Message)
			if i > 0 {
				require.LessOrEqual(t, faults[i-1].Line, fault.Line)
			}
		}
		if len(faults) == 0 && !strings.Contains(text, "\r") {
			again, faults := form.Parse(form.Format(d))
			require.Empty(t, faults)
			require.Equal(t, d.Packet, again.Packet)
			require.Equal(t, d.Checks, again.Checks)
		}
	})
}
