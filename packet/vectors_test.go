package packet_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/packet"
)

// verdict is an entry of testdata/vectors/verdicts.json.
type verdict struct {
	File   string
	About  string
	Kind   packet.Kind
	Path   string
	Strict bool
	Stored string
}

func verdicts(t testing.TB) []verdict {
	t.Helper()
	var all []verdict
	require.NoError(t, json.Unmarshal(vector(t, "verdicts.json"), &all))
	return all
}

// vector returns a file of testdata/vectors.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "vectors", filepath.FromSlash(name)))
	require.NoError(t, err)
	return data
}

// parsed returns the packet of a vector.
func parsed(t testing.TB, name string) packet.Packet {
	t.Helper()
	p, err := packet.Parse(vector(t, name))
	require.NoError(t, err)
	return p
}

// TestVerdicts compares Parse with the reference's verdict on every vector. An invalid one has one
// fault, at the place that the reference names, too.
func TestVerdicts(t *testing.T) {
	valid, strict := 0, 0
	for _, v := range verdicts(t) {
		t.Run(v.File, func(t *testing.T) {
			p, err := packet.Parse(vector(t, v.File))
			if strings.HasPrefix(v.File, "valid/") {
				valid++
			}
			if v.Kind == "" {
				require.NoError(t, err)
				require.NoError(t, p.Check())
				return
			}
			if v.Strict {
				strict++
			}
			require.Zero(t, p)
			faults := packet.FaultsOf(err)
			require.Len(t, faults, 1, "%v", err)
			require.Equal(t, v.Kind, faults[0].Kind, "%v", err)
			require.Equal(t, v.Path, faults[0].Path, "%v", err)
		})
	}
	require.Len(t, verdicts(t), 15+44)
	require.Equal(t, 15, valid)
	require.Equal(t, 2, strict)
}

// TestStoredFormIsTheSameValue reads what the reference gives back. Without its white space and its
// escapes, that is the canonical form.
func TestStoredFormIsTheSameValue(t *testing.T) {
	compared := 0
	for _, v := range verdicts(t) {
		if v.Stored == "" {
			continue
		}
		compared++
		stored := vector(t, v.Stored)
		back, err := packet.ParseStored(stored)
		require.NoError(t, err, v.Stored)
		canonical, err := back.Canonical()
		require.NoError(t, err)
		require.Equal(t, compact(t, stored), string(canonical), v.Stored)
		if v.Strict {
			continue
		}
		sent := parsed(t, v.File)
		bytes, err := sent.Canonical()
		require.NoError(t, err)
		require.Equal(t, string(canonical), string(bytes), v.File)
		require.LessOrEqual(t, len(bytes), len(vector(t, v.File)))
		require.Empty(t, packet.Diff(&sent, &back), v.File)
	}
	require.Equal(t, 14, compared)
}

// compact removes white space between JSON's tokens, and the reference's needless escapes.
func compact(t *testing.T, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, data))
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\u2028`, "\u2028", `\u2029`, "\u2029").
		Replace(b.String())
}

// TestWhatGrowsWhenStoredIsRead indents and escapes as the reference does: the result is too long
// to be sent, but it is read, and its canonical form can be sent.
func TestWhatGrowsWhenStoredIsRead(t *testing.T) {
	sent := vector(t, "valid/v02-grows-when-stored.json")
	var value any
	require.NoError(t, json.Unmarshal(sent, &value))
	stored, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	require.Greater(t, len(stored), 3*packet.MaxBytes)

	_, err = packet.Parse(stored)
	require.Equal(t, packet.KindTooLarge, packet.FaultsOf(err)[0].Kind)
	back, err := packet.ParseStored(stored)
	require.NoError(t, err)
	p := parsed(t, "valid/v02-grows-when-stored.json")
	require.Equal(t, p, back)
	canonical, err := back.Canonical()
	require.NoError(t, err)
	require.LessOrEqual(t, len(canonical), len(sent))
}
