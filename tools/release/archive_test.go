package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sample() []file {
	return []file{{"ltm", []byte("program"), 0o755}, {"README.md", []byte("text"), 0o644},
		{"man/man1/ltm.1", bytes.Repeat([]byte("page "), 1000), 0o644}}
}

// TestSameBytes packs the same files in a different order.
func TestSameBytes(t *testing.T) {
	date := time.Unix(1700000000, 0).UTC()
	turned := sample()
	slices.Reverse(turned)
	for name, pack := range map[string]func(string, []file, time.Time) ([]byte, error){"tar": tarred, "zip": zipped} {
		a, err := pack("ltm_1", sample(), date)
		require.NoError(t, err, name)
		b, err := pack("ltm_1", turned, date.In(time.FixedZone("elsewhere", 3600)).UTC())
		require.NoError(t, err, name)
		require.Equal(t, a, b, name)
	}
}

func TestContents(t *testing.T) {
	date := time.Unix(1700000000, 0).UTC()
	data, err := tarred("ltm_1", sample(), date)
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	r := tar.NewReader(z)
	var names []string
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.True(t, h.ModTime.Equal(date))
		if h.Name == "ltm_1/ltm" {
			require.EqualValues(t, 0o755, h.Mode)
		}
		names = append(names, h.Name)
	}
	want := []string{"ltm_1/README.md", "ltm_1/ltm", "ltm_1/man/man1/ltm.1"}
	require.Equal(t, want, names)

	data, err = zipped("ltm_1", sample(), date)
	require.NoError(t, err)
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for i, f := range files.File {
		require.Equal(t, want[i], f.Name)
		require.True(t, f.Modified.Equal(date))
	}
}
