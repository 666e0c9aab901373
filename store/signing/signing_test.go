package signing_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/signing"
)

// here and elsewhere are the ids of two stores.
const (
	here      = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
	elsewhere = "00000000000000000000000000000001"
)

// now is the present of these tests.
var now = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func key(t *testing.T, b byte) signing.Key {
	t.Helper()
	secret := make([]byte, signing.SecretBytes)
	for i := range secret {
		secret[i] = b + byte(i)
	}
	k, err := signing.NewKey(secret)
	require.NoError(t, err)
	return k
}

// example is the memory of the test vector in docs/format.md.
func example() memory.Memory {
	doubt := 0.9
	return memory.Memory{
		ID: "mem_1a2b3c4d", Topic: "Fix database connection timeout", Category: memory.Learnings, Confidence: &doubt,
		Tags:       []string{"database", "importance:critical"},
		Supersedes: []memory.ID{"mem_0000000b", "mem_0000000a"},
		CreatedAt:  time.Date(2026, 1, 15, 10, 30, 0, 0, time.UTC),
		Summary:    "The pool was too small.", Content: "Größe: 50.\nNot 5.",
	}
}

// TestVector has the numbers of docs/format.md.
func TestVector(t *testing.T) {
	want := "12:ltm memory 1,32:" + here + ",12:mem_1a2b3c4d," +
		"9:learnings,8:critical,3:0.9,25:mem_0000000a,mem_0000000b,0:," +
		"31:Fix database connection timeout,20:2026-01-15T10:30:00Z,23:The pool was too small.," +
		"19:Größe: 50.\nNot 5.,"
	require.Equal(t, want, string(signing.Bytes(example(), here)))
	secret, err := hex.DecodeString("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	require.NoError(t, err)
	k, err := signing.NewKey(secret)
	require.NoError(t, err)
	require.Equal(t, "v1:fc513c087480b6c1:"+here+
		":1bcd605900bdaf17945ed38bd973fcb1fa8f19b8f5d5a7e901bdc605cd44d846",
		k.Sign(example(), here))
}

func TestPlainMemory(t *testing.T) {
	require.Equal(t, "12:ltm memory 1,32:"+here+",12:mem_1a2b3c4d,0:,6:normal,1:1,0:,0:,1:t,0:,0:,1:c,",
		string(signing.Bytes(memory.Memory{ID: "mem_1a2b3c4d", Topic: "t", Content: "c"}, here)))
}

// TestEveryField changes each field of a signed memory, on its own.
func TestEveryField(t *testing.T) {
	k := key(t, 1)
	known := signing.Known{Secrets: []signing.Key{key(t, 9), k}}
	signed := example()
	signed.Signature = k.Sign(signed, here)
	one, low := 1.0, 0.2
	for name, c := range map[string]struct {
		change func(*memory.Memory)
		want   signing.Verdict
	}{
		"nothing":       {func(*memory.Memory) {}, signing.Valid},
		"another id":    {func(m *memory.Memory) { m.ID = "mem_1a2b3c4e" }, signing.Altered},
		"kind":          {func(m *memory.Memory) { m.Category = memory.Emotional }, signing.Altered},
		"no kind":       {func(m *memory.Memory) { m.Category = "" }, signing.Altered},
		"importance":    {func(m *memory.Memory) { m.Tags = []string{"importance:low"} }, signing.Altered},
		"no importance": {func(m *memory.Memory) { m.Tags = []string{"database"} }, signing.Altered},
		"confidence":    {func(m *memory.Memory) { m.Confidence = &low }, signing.Altered},
		"no confidence": {func(m *memory.Memory) { m.Confidence = nil }, signing.Altered},
		"supersedes":    {func(m *memory.Memory) { m.Supersedes = m.Supersedes[:1] }, signing.Altered},
		"disputes": {func(m *memory.Memory) {
			m.Disputes = []memory.ID{"mem_0000000c"}
		}, signing.Altered},
		"supersedes to disputes": {func(m *memory.Memory) {
			m.Supersedes, m.Disputes = nil, m.Supersedes
		}, signing.Altered},
		"topic": {func(m *memory.Memory) { m.Topic += "." }, signing.Altered},
		"time": {func(m *memory.Memory) {
			m.CreatedAt = m.CreatedAt.Add(time.Second)
		}, signing.Altered},
		"part of a second": {func(m *memory.Memory) {
			m.CreatedAt = m.CreatedAt.Add(time.Nanosecond)
		}, signing.Altered},
		"no time": {func(m *memory.Memory) { m.CreatedAt = time.Time{} }, signing.Altered},
		"summary": {func(m *memory.Memory) { m.Summary = "" }, signing.Altered},
		"content": {func(m *memory.Memory) { m.Content += "!" }, signing.Altered},
		"text between two fields": {func(m *memory.Memory) {
			m.Summary, m.Content = m.Summary+m.Content[:1], m.Content[1:]
		}, signing.Altered},
		"another form of a letter": {func(m *memory.Memory) {
			m.Content = strings.ReplaceAll(m.Content, "ö", "o\u0308")
		}, signing.Altered},
		"agent": {func(m *memory.Memory) { m.Agent = "nobody" }, signing.Altered},
		"content to agent": {func(m *memory.Memory) {
			m.Content, m.Agent = m.Content[:3], m.Content[3:]
		}, signing.Altered},
		"alias": {func(m *memory.Memory) { m.Aliases = []string{"a pool"} }, signing.Altered},
		"content to alias": {func(m *memory.Memory) {
			m.Content, m.Aliases = m.Content[:3], []string{m.Content[3:]}
		}, signing.Altered},
		"signature stripped":   {func(m *memory.Memory) { m.Signature = "" }, signing.None},
		"signature of another": {func(m *memory.Memory) { m.Signature = key(t, 2).Sign(*m, here) }, signing.UnknownKey},
		"fingerprint forged": {func(m *memory.Memory) {
			m.Signature = strings.Replace(key(t, 2).Sign(*m, here), key(t, 2).Fingerprint(), k.Fingerprint(), 1)
		}, signing.Altered},
		"for another store": {func(m *memory.Memory) { m.Signature = k.Sign(*m, elsewhere) }, signing.OtherStore},
		"said to be for another store": {func(m *memory.Memory) {
			m.Signature = strings.Replace(m.Signature, here, elsewhere, 1)
		}, signing.Altered},
		"another store's, said to be for this one": {func(m *memory.Memory) {
			m.Signature = strings.Replace(k.Sign(*m, elsewhere), elsewhere, here, 1)
		}, signing.Altered},
		"another store's, altered": {func(m *memory.Memory) {
			m.Signature = k.Sign(*m, elsewhere)
			m.Content += "!"
		}, signing.Altered},
		"no store": {func(m *memory.Memory) {
			m.Signature = strings.Replace(m.Signature, ":"+here, "", 1)
		}, signing.Malformed},
		"a store of another form": {func(m *memory.Memory) {
			m.Signature = strings.Replace(m.Signature, here, "../"+here[3:], 1)
		}, signing.Malformed},
		"signature cut":      {func(m *memory.Memory) { m.Signature = m.Signature[:80] }, signing.Malformed},
		"signature in words": {func(m *memory.Memory) { m.Signature = "v1:trust:me" }, signing.Malformed},
		"signature huge": {func(m *memory.Memory) {
			m.Signature += strings.Repeat("0", 9000)
		}, signing.Malformed},
		"a later version": {func(m *memory.Memory) { m.Signature = "v3" + m.Signature[2:] }, signing.Malformed},
		"not SSH":         {func(m *memory.Memory) { m.Signature = "v2" + m.Signature[2:] }, signing.Malformed},
		"line ends": {func(m *memory.Memory) {
			m.Content = strings.ReplaceAll(m.Content, "\n", "\r\n")
		}, signing.Valid},
		"zone": {func(m *memory.Memory) {
			m.CreatedAt = m.CreatedAt.In(time.FixedZone("", 3600))
		}, signing.Valid},
		"tags": {func(m *memory.Memory) {
			m.Tags = []string{"importance:critical", "new"}
		}, signing.Valid},
		"phase": {func(m *memory.Memory) { m.Phase = memory.Hint }, signing.Valid},
		"order of links": {func(m *memory.Memory) {
			m.Supersedes = []memory.ID{"mem_0000000a", "mem_0000000b"}
		}, signing.Valid},
		"link twice": {func(m *memory.Memory) {
			m.Supersedes = append(m.Supersedes, m.Supersedes[0])
		}, signing.Valid},
		"counters": {func(m *memory.Memory) {
			m.Difficulty, m.Restored, m.CreatedSession = 1, true, 7
		}, signing.Valid},
		"related": {func(m *memory.Memory) { m.Related = []memory.ID{"mem_0000000c"} }, signing.Valid},
	} {
		m := signed
		c.change(&m)
		require.Equal(t, c.want, known.Check(m, here, now).Verdict, name)
	}
	forOne := signed
	forOne.Agent = "reviewer"
	forOne.Signature = k.Sign(forOne, here)
	require.Equal(t, signing.Valid, known.Check(forOne, here, now).Verdict)
	forOne.Agent = ""
	require.Equal(t, signing.Altered, known.Check(forOne, here, now).Verdict, "an agent that was taken away")
	lines := signed
	lines.Summary = "One.\nTwo."
	lines.Signature = k.Sign(lines, here)
	lines.Summary = "One.\r\nTwo."
	require.Equal(t, signing.Valid, known.Check(lines, here, now).Verdict, "line ends of a summary")
	plain := memory.Memory{ID: "mem_00000001", Topic: "t", Content: "c"}
	plain.Signature = k.Sign(plain, here)
	plain.Confidence = &one
	require.Equal(t, signing.Valid, known.Check(plain, here, now).Verdict, "1 is what no confidence means")
	require.Equal(t, signing.UnknownKey, signing.Known{}.Check(signed, here, now).Verdict)
}

func TestKeyText(t *testing.T) {
	k := key(t, 3)
	back, err := signing.ParseKey(k.Text())
	require.NoError(t, err)
	require.Equal(t, k, back)
	require.True(t, signing.IsFingerprint(k.Fingerprint()))
	digits := strings.TrimSpace(string(k.Text()[len("ltm-key-v1 "):]))
	back, err = signing.ParseKey([]byte(digits))
	require.NoError(t, err)
	require.Equal(t, k, back)
	for _, form := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
		require.NotContains(t, fmt.Sprintf(form, k), digits[:8], "a secret does not get into messages")
	}
	for name, text := range map[string]string{
		"nothing": "", "words": "correct horse battery staple", "short": digits[2:], "long": digits + "00",
		"no digits": strings.Repeat("z", 64), "zeros": strings.Repeat("0", 64),
		"another version":   "ltm-key-v2 " + digits,
		"a private SSH key": "-----BEGIN OPENSSH PRIVATE KEY-----\n" + digits,
	} {
		_, err := signing.ParseKey([]byte(text))
		require.ErrorIs(t, err, signing.ErrKeyForm, name)
		require.NotContains(t, err.Error(), digits[:8], name)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("v1:0123456789abcdef:"+here+":"+strings.Repeat("0", 64), []byte("alice ssh-ed25519 AAAA"))
	f.Add("v2:"+strings.Repeat("A", 43)+":"+here+":U1NIU0lHAAAAAQ==",
		[]byte(`"a b" namespaces="ltm",valid-after="20250101" ssh-rsa AAAA`))
	f.Fuzz(func(t *testing.T, signature string, list []byte) {
		m := memory.Memory{ID: "mem_00000001", Topic: "t", Content: "c", Signature: signature}
		proof := signing.Known{Allowed: signing.ParseAllowed(list)}.Check(m, here, now)
		require.NotEqual(t, signing.Valid, proof.Verdict)
		_, _ = signing.FromSSH(bytes.Join([][]byte{list, []byte(signature)}, nil), here)
	})
}

// TestLengths keeps the sizes that docs/format.md names.
func TestLengths(t *testing.T) {
	require.Len(t, key(t, 1).Sign(example(), here), len("v1:")+16+1+32+1+2*sha256.Size)
}
