package packet_test

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// fix fixes a document with a fixed clock and randomness.
func fix(text string) (packet.Packet, []string, error) {
	now := time.Date(2026, 8, 28, 10, 0, 0, 0, time.UTC)
	ids := packet.NewIDs(func() time.Time { return now }, rand.NewChaCha8([32]byte{}))
	p, repairs, err := packet.Fix([]byte(text), ids)
	var lines []string
	for _, r := range repairs {
		lines = append(lines, strings.TrimSpace(r.Path+" "+r.Message))
	}
	return p, lines, err
}

// TestFixConvertsTheSample fixes a packet in the form that the protocol's home page shows.
func TestFixConvertsTheSample(t *testing.T) {
	sample, err := os.ReadFile("testdata/fix/sample.json")
	require.NoError(t, err)
	_, err = packet.Parse(sample)
	require.Equal(t, []string{"unknown /provenance", "unknown /provenance", "unknown /provenance",
		"choice /attempts/0/outcome", "choice /attempts/1/outcome"}, found(err))
	p, repairs, err := fix(string(sample))
	require.NoError(t, err)
	require.Equal(t, []string{
		`/provenance removed "agent", which no version has`,
		`/provenance the key "model" became "author_model"`,
		`/provenance removed "host", which no version has`,
		`/attempts/0/outcome became "partial", and its text is the beginning of "learned"; "confidence" is "low"`,
		`/attempts/1/outcome became "partial", and its text is the beginning of "learned"; "confidence" is "low"`,
	}, repairs)
	require.NoError(t, p.Check())
	require.Equal(t, &packet.Provenance{AuthorModel: "some-model-1"}, p.Provenance)
	require.Equal(t, []packet.Attempt{
		{Tried: "Calibrate the RC oscillator at boot.", Outcome: packet.Partial, Confidence: packet.Low,
			Learned: "works on the bench, drifts again when the board is cold\n" +
				"Temperature matters more than supply voltage."},
		{Tried: "make sim", Outcome: packet.Partial, Confidence: packet.Low, Learned: "link error: undefined rtc_trim"},
	}, p.Attempts)
	require.Equal(t, "01K3Q8ZJ6M4T2V9XWBDN7RHE02", p.ID)
	require.Len(t, p.Decisions, 2)
}

// TestFixChangesWhatIsCertain lists what is changed in packets with one oddity each.
func TestFixChangesWhatIsCertain(t *testing.T) {
	full := strings.Repeat("x", 1024)
	for name, c := range map[string]struct {
		in      string
		repairs []string
	}{
		"nothing": {with(`"tags":["a"]`), nil},
		"bom":     {"\ufeff" + with(`"tags":["a"]`), []string{"removed the byte order mark"}},
		"no id": {`{"goal":"g","next_step":"n","id":null,"created_at":"","ltm_version":0.2}`, []string{
			"/ltm_version was missing, and was filled in", "/id was missing, and was filled in",
			"/created_at was missing, and was filled in"}},
		"older": {strings.Replace(with(`"parent_id":"0123456789"`), "0.2", "0.1", 1),
			[]string{`/ltm_version became "0.2", which has the fields that "0.1" lacks`}},
		"time": {strings.Replace(with(`"tags":[]`), "28T09:15:30Z", "28 09:15:30,5z", 1),
			[]string{`/created_at became "2026-08-28T09:15:30.5Z"`}},
		"tags": {with(`"tags":"Real_Time Clock"`),
			[]string{"/tags became a list", `/tags/0 became "real-time-clock"`}},
		"keys": {`{` + strings.Replace(head, `"goal"`, `"Goal"`, 1) + `,"project":null,"next_step":"n"}`, []string{
			`the key "Goal" became "goal"`, "/project removed: null means that it is missing",
			`removed "next_step", which it had twice`}},
		"flag": {with(`"decisions":{"what":"w","why":"y","locked":"true"}`),
			[]string{"/decisions became a list", "/decisions/0/locked became true or false without quotes"}},
		"outcome": {with(`"attempts":[{"tried":"t","outcome":" Failed","confidence":"HIGH"}]`),
			[]string{`/attempts/0/outcome became "failed"`, `/attempts/0/confidence became "high"`}},
	} {
		t.Run(name, func(t *testing.T) {
			p, repairs, err := fix(c.in)
			require.NoError(t, err)
			require.Equal(t, c.repairs, repairs)
			require.NoError(t, p.Check())
		})
	}
	for name, c := range map[string]struct{ in, fault string }{
		"version": {strings.Replace(with(`"tags":[]`), "0.2", "0.9", 1), `/ltm_version: is "0.9"`},
		"unknown": {with(`"project":{"notes":"n"}`), `/project: has the unknown key "notes"; allowed are name, ref`},
		"twice":   {with(`"goal":"other"`), `has the key "goal" again`},
		"thrice":  {`{"Goal":"a","GOAL":"b","next_step":"n"}`, `has the unknown key "GOAL"`},
		"why":     {with(`"decisions":[{"what":"w"}]`), `/decisions/0: "why" is missing`},
		"no zone": {strings.Replace(with(`"tags":[]`), "30Z", "30", 1), "/created_at: has no offset"},
		"long":    {with(`"constraints":["x` + full + `"]`), "/constraints/0: has 1025 characters, at most 1024"},
		"no room": {with(`"attempts":[{"tried":"t","outcome":"o","learned":"` + full + `"}]`),
			"/attempts/0/outcome: is not one"},
		"syntax":   {with(`"tags":[],`), "it is not JSON"},
		"a number": {strings.Replace(with(`"tags":[]`), `"0123456789"`, "1234567890", 1), "/id: is a number"},
		"encoding": {with(`"attempts":[{"tried":"t","outcome":"\ud800"}]`), "/attempts/0/outcome: "},
	} {
		t.Run(name, func(t *testing.T) {
			_, repairs, err := fix(c.in)
			require.ErrorContains(t, err, c.fault)
			require.Nil(t, repairs)
			require.NotEmpty(t, packet.FaultsOf(err))
		})
	}
}

// FuzzFix fixes any bytes. What comes out is legal and needs no repair, and a legal packet stays as it is.
func FuzzFix(f *testing.F) {
	sample, err := os.ReadFile("testdata/fix/sample.json")
	require.NoError(f, err)
	f.Add(string(sample))
	f.Add(with(`"tags":"A b","provenance":{"MODEL":"m"},"attempts":[{"tried":"t","outcome":"won"}]`))
	f.Fuzz(func(t *testing.T, data string) {
		given, legal := packet.ParseStored([]byte(data))
		p, repairs, err := fix(data)
		if err != nil {
			require.NotEmpty(t, packet.FaultsOf(err))
			require.Error(t, legal)
			return
		}
		require.NoError(t, p.Check())
		if legal == nil {
			require.Empty(t, repairs)
			require.Equal(t, given, p)
		}
		canonical, err := p.Canonical()
		require.NoError(t, err)
		_, again, err := fix(string(canonical))
		require.NoError(t, err)
		require.Empty(t, again)
	})
}
