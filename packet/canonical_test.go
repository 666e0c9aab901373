package packet_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// small returns the least packet.
func small() packet.Packet {
	return packet.Packet{Version: packet.Version01, ID: "0123456789", CreatedAt: "2026-08-28T09:15:30Z", Goal: "g",
		NextStep: "n"}
}

func canonical(t testing.TB, p *packet.Packet) string {
	t.Helper()
	data, err := p.Canonical()
	require.NoError(t, err)
	return string(data)
}

// TestCanonicalOfAnyPacket writes and reads random packets: nothing is lost, and the same value has
// the same bytes, however it was written.
func TestCanonicalOfAnyPacket(t *testing.T) {
	for seed := range uint64(200) {
		p := newGenerator(seed).packet()
		text := canonical(t, &p)
		back, err := packet.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, text, canonical(t, &back))
		require.Equal(t, p.Texts(), back.Texts())
		back.CreatedAt = p.CreatedAt
		require.Equal(t, p, back)

		var value map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &value))
		other, err := json.MarshalIndent(value, "", "\t")
		require.NoError(t, err)
		again, err := packet.ParseStored(other)
		require.NoError(t, err)
		require.Equal(t, text, canonical(t, &again))
	}
}

// TestCanonicalLeavesOutWhatIsEmpty: an empty list, an empty optional text and "locked": false say
// nothing. An empty object says that it is there.
func TestCanonicalLeavesOutWhatIsEmpty(t *testing.T) {
	p := parsed(t, "valid/v02-empty-collections.json")
	require.Equal(t, `{"ltm_version":"0.2","id":"01K3Q8ZJ6M4T2V9XWBDN7RHE15","created_at":"2026-08-28T09:15:30Z",`+
		`"project":{},"goal":"Keep the tide gauge clock within two seconds a week.","constraints":[""],`+
		`"decisions":[{"what":"","why":""}],"attempts":[{"tried":"","outcome":"failed"}],`+
		`"next_step":"Run the cold chamber test on board three.","provenance":{}}`, canonical(t, &p))
	require.Equal(t, packet.Version01, p.Lowest())

	q := small()
	require.Nil(t, q.Project)
	q.Constraints, q.Tags = []string{}, []string{}
	bare := small()
	require.Equal(t, canonical(t, &bare), canonical(t, &q))
}

// TestLowestVersion adds each field of 0.2 alone.
func TestLowestVersion(t *testing.T) {
	for name, add := range map[string]func(*packet.Packet){
		"parent":       func(p *packet.Packet) { p.ParentID = "0123456789" },
		"criteria":     func(p *packet.Packet) { p.SuccessCriteria = []string{""} },
		"methods":      func(p *packet.Packet) { p.Methods = []packet.Method{{Name: "m"}} },
		"consequences": func(p *packet.Packet) { p.Decisions = []packet.Decision{{}, {Consequences: "c"}} },
		"confidence": func(p *packet.Packet) {
			p.Attempts = []packet.Attempt{{Outcome: packet.Failed}, {Outcome: packet.Partial, Confidence: packet.Low}}
		},
	} {
		p := small()
		p.Decisions = []packet.Decision{{Locked: true}}
		p.Attempts = []packet.Attempt{{Outcome: packet.Failed, Learned: "l"}}
		p.Provenance = &packet.Provenance{Confidence: packet.High}
		require.Equal(t, packet.Version01, p.Lowest())
		require.NoError(t, p.Check())
		add(&p)
		require.Equal(t, packet.Version02, p.Lowest(), name)
		require.Equal(t, packet.KindNewer, packet.FaultsOf(p.Check())[0].Kind, name)
		p.Version = p.Lowest()
		require.NoError(t, p.Check(), name)
	}
}

// TestCheckOfWhatWasPutTogether finds the same faults as Parse, and that a packet is too large in
// any form.
func TestCheckOfWhatWasPutTogether(t *testing.T) {
	var empty packet.Packet
	require.Equal(t, []string{"no_version /ltm_version", "too_short /id", "time /created_at", "too_short /goal",
		"too_short /next_step"}, found(empty.Check()))
	_, err := empty.Canonical()
	require.Equal(t, empty.Check(), err)

	p := small()
	p.Version, p.ParentID = packet.Version02, p.ID // the protocol does not look parents up
	require.NoError(t, p.Check())
	p.Tags = []string{"a", "B"}
	p.Attempts = []packet.Attempt{{Tried: "t"}}
	p.Provenance = &packet.Provenance{SourceHash: "sha256:0"}
	require.Equal(t, []string{"choice /attempts/0/outcome", "pattern /tags/1", "pattern /provenance/source_hash"},
		found(p.Check()))

	p = small()
	for range 32 {
		p.Constraints = append(p.Constraints, strings.Repeat("x", 1000))
	}
	size := len(canonical(t, &p))
	p.Goal += strings.Repeat("g", packet.MaxBytes-size)
	require.Len(t, canonical(t, &p), packet.MaxBytes)
	p.Goal += "g"
	require.EqualError(t, p.Check(), "it has 32769 bytes in its shortest form, at most 32768 are allowed")
	var b strings.Builder
	require.NoError(t, json.NewEncoder(&b).Encode(map[string]any{"ltm_version": "0.1", "id": p.ID, "goal": p.Goal,
		"created_at": p.CreatedAt, "next_step": "n", "constraints": p.Constraints}))
	_, err = packet.ParseStored([]byte(b.String()))
	require.Equal(t, p.Check(), err)
}

// TestCreatedAt tries times. The normal form keeps the offset and each digit.
func TestCreatedAt(t *testing.T) {
	for text, want := range map[string]string{
		"2026-08-28T09:15:30Z":                   "",
		"2026-08-28T09:15:30.000Z":               "2026-08-28T09:15:30Z",
		"2026-08-28T11:15:30.120+02:00":          "2026-08-28T11:15:30.12+02:00",
		"2026-08-28T09:15:30+00:00":              "2026-08-28T09:15:30Z",
		"2026-08-28T09:15:30-00:00":              "2026-08-28T09:15:30Z",
		"2026-08-28T09:15:30.1234567890123-0330": "bad",
		"2026-08-28T09:15:30.1234567890123Z":     "",
		"2026-08-28T09:15:30-23:59":              "",
		"2024-02-29T23:59:59Z":                   "",
		"0000-01-01T00:00:00Z":                   "",
		"9999-12-31T23:59:59.999999999+14:00":    "",
		"2026-02-29T00:00:00Z":                   "bad", "2026-13-01T00:00:00Z": "bad", "2026-00-01T00:00:00Z": "bad",
		"2026-01-00T00:00:00Z": "bad", "2026-04-31T00:00:00Z": "bad", "1900-02-29T00:00:00Z": "bad",
		"2026-08-28T24:00:00Z": "bad", "2026-08-28T09:60:00Z": "bad", "2026-08-28T09:15:60Z": "bad",
		"2026-08-28t09:15:30Z": "bad", "2026-08-28T09:15:30z": "bad", "2026-08-28 09:15:30Z": "bad",
		"2026-08-28T9:15:30Z": "bad", "2026-8-28T09:15:30Z": "bad", "26-08-28T09:15:30Z": "bad",
		"2026-08-28T09:15:30,5Z": "bad", "2026-08-28T09:15:30.Z": "bad", "2026-08-28T09:15Z": "bad",
		"2026-08-28T09:15:30": "bad", "2026-08-28T09:15:30.5": "bad", "2026-08-28": "bad", "": "bad",
		"2026-08-28T09:15:30+24:00": "bad", "2026-08-28T09:15:30+02:60": "bad", "2026-08-28T09:15:30+2:00": "bad",
		"2026-08-28T09:15:30+02": "bad", "2026-08-28T09:15:30 Z": "bad", "2026-08-28T09:15:30Z\n": "bad",
		" 2026-08-28T09:15:30Z": "bad", "2026-08-28T09:15:30ZZ": "bad", "+2026-08-28T09:15:30Z": "bad",
		"2026-08-28T09:15:30.٣Z": "bad", "-001-08-28T09:15:30Z": "bad", "12026-08-28T09:15:30Z": "bad",
		"now": "bad", "1787998530": "bad", "2026-08-28T09:15:30.5+02:00:00": "bad",
	} {
		p := small()
		p.CreatedAt = text
		if want == "bad" {
			require.Equal(t, []string{"time /created_at"}, found(p.Check()), text)
			require.True(t, p.Time().IsZero(), text)
			continue
		}
		if want == "" {
			want = text
		}
		require.Contains(t, canonical(t, &p), `"created_at":"`+want+`"`)
		at, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		require.True(t, p.Time().Equal(at.Truncate(time.Nanosecond)), "%s: %s and %s", text, p.Time(), at)
	}
	for text, message := range map[string]string{
		"2026-08-28T09:15:30":       "has no offset: it ends neither with Z nor with one such as +02:00",
		"2026-08-28T09:15:30.5":     "has no offset: it ends neither with Z nor with one such as +02:00",
		"2026-02-29T00:00:00Z":      "is a day or a time of day that does not exist",
		"2026-08-28T09:15:30+24:00": "has an offset that does not exist: it ends at 23:59",
		"soon":                      "is not a time such as 2026-01-31T09:30:00Z or 2026-01-31T09:30:00.5+02:00",
	} {
		p := small()
		p.CreatedAt = text
		require.EqualError(t, p.Check(), "/created_at: "+message)
	}
}

// TestTexts lists every text with its place.
func TestTexts(t *testing.T) {
	p := parsed(t, "valid/v02-full.json")
	texts := p.Texts()
	require.Len(t, texts, 41)
	require.Equal(t, packet.Text{Path: "/ltm_version", Value: "0.2"}, texts[0])
	for _, want := range []packet.Text{
		{Path: "/project/ref", Value: "git.example.org/harbor/tide-gauge"},
		{Path: "/decisions/0/consequences", Value: "Sleep current rises by two microamperes."},
		{Path: "/attempts/2/outcome", Value: "partial"},
		{Path: "/tags/1", Value: "rtc"},
		{Path: "/methods/0/name", Value: "calibrate-crystal"},
		{Path: "/provenance/author_human", Value: "mira"},
	} {
		require.Contains(t, texts, want)
	}
	whole := canonical(t, &p)
	for _, text := range texts {
		require.Contains(t, whole, `"`+text.Value+`"`)
	}
}
