package cachefile_test

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/internal/fs/cachefile"
)

var format = cachefile.Format{Magic: "test", Version: 3}

// file returns a file with these blocks.
func file(blocks ...string) []byte {
	b := format.Header()
	for _, fields := range blocks {
		at := len(b)
		b = append(cachefile.Begin(b), fields...)
		cachefile.End(b, at)
	}
	return b
}

// read returns the blocks of a file up to the first damaged one.
func read(data []byte) (blocks []string, err error) {
	rest, ok := format.Cut(data)
	if !ok {
		return nil, cachefile.ErrDamaged
	}
	for len(rest) > 0 {
		var fields []byte
		if fields, rest, err = cachefile.Next(rest); err != nil {
			return blocks, err
		}
		blocks = append(blocks, string(fields))
	}
	return blocks, nil
}

func TestBlocks(t *testing.T) {
	for _, want := range [][]string{{"one"}, {"one", "two", ""}, {""}} {
		got, err := read(file(want...))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestDamage(t *testing.T) {
	whole := file("one", "two")
	second := len(file("one"))
	for name, c := range map[string]struct {
		data []byte
		want []string
	}{
		"another magic":                    {append([]byte("Test"), whole[4:]...), nil},
		"another version":                  {append([]byte("test\x04"), whole[5:]...), nil},
		"no blocks, cut off":               {whole[:4], nil},
		"cut off in the first block":       {whole[:12], nil},
		"cut off in the second block":      {whole[:len(whole)-1], []string{"one"}},
		"cut off in the second head":       {whole[:second+3], []string{"one"}},
		"more behind the last block":       {append(slices.Clone(whole), 0), []string{"one", "two"}},
		"a length beyond the end":          {binary.LittleEndian.AppendUint32(format.Header(), math.MaxUint32), nil},
		"a length beyond the end, and sum": {append(format.Header(), 255, 255, 255, 255, 0, 0, 0, 0, 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read(c.data)
			require.ErrorIs(t, err, cachefile.ErrDamaged)
			require.Equal(t, c.want, got)
		})
	}
	for i := range whole {
		damaged := slices.Clone(whole)
		damaged[i] ^= 0x10
		_, err := read(damaged)
		require.ErrorIs(t, err, cachefile.ErrDamaged, "byte %d", i)
	}
}

func TestFields(t *testing.T) {
	b := cachefile.AppendString(nil, "über")
	b = cachefile.AppendStrings(b, []string{"", "two"})
	b = binary.AppendUvarint(b, math.MaxUint64)
	b = binary.AppendVarint(b, math.MinInt64)
	b = binary.LittleEndian.AppendUint32(b, 0x01020304)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(-0.5))
	b = append(binary.AppendUvarint(b, 3), "abc"...)
	r := cachefile.NewReader(string(b))
	require.Equal(t, "über", r.Field())
	require.Equal(t, []string{"", "two"}, r.Fields())
	require.Equal(t, uint64(math.MaxUint64), r.Uvarint())
	require.Equal(t, int64(math.MinInt64), r.Varint())
	require.Equal(t, uint32(0x01020304), r.Uint32())
	require.Equal(t, -0.5, r.Float64())
	require.Equal(t, 3, r.Count(1))
	require.Equal(t, 3, r.Len())
	require.Equal(t, "abc", r.Bytes(3))
	require.True(t, r.Complete())
}

// TestFieldsThatAreCutOff reads every beginning of fields: none panics, and what
// follows a failure is zero.
func TestFieldsThatAreCutOff(t *testing.T) {
	whole := cachefile.AppendStrings(cachefile.AppendString(nil, "one"), []string{"two"})
	whole = binary.LittleEndian.AppendUint64(whole, 7)
	for n := range whole {
		r := cachefile.NewReader(whole[:n:n])
		r.Field()
		r.Fields()
		r.Uint64()
		require.True(t, r.Failed(), "%d bytes", n)
		require.False(t, r.Complete())
		require.Empty(t, r.Field())
		require.Zero(t, r.Uvarint()+r.Uint64()+uint64(r.Uint32()))
	}
	r := cachefile.NewReader([]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0})
	require.Zero(t, r.Count(1), "a count of more than there is room for")
	require.True(t, r.Failed())
}

// FuzzReader reads any bytes as every kind of field.
func FuzzReader(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		text, raw := cachefile.NewReader(string(data)), cachefile.NewReader(data)
		for i := 0; text.Len() > 0; i++ {
			require.Equal(t, text.Len(), raw.Len())
			switch i % 6 {
			case 0:
				require.Equal(t, text.Uvarint(), raw.Uvarint())
			case 1:
				require.Equal(t, text.Field(), string(raw.Field()))
			case 2:
				require.Equal(t, text.Varint(), raw.Varint())
			case 3:
				require.Len(t, text.Fields(), len(raw.Fields()))
			case 4:
				require.Equal(t, text.Uint64(), raw.Uint64())
			case 5:
				require.Equal(t, text.Count(2), raw.Count(2))
			}
		}
		require.Equal(t, text.Failed(), raw.Failed())
	})
}
