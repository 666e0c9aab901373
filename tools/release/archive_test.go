package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sample() []file {
	return []file{{name: "ltm", data: []byte("program"), mode: 0o755},
		{name: "README.md", data: []byte("text"), mode: 0o644},
		{name: "man/man1/ltm.1", data: bytes.Repeat([]byte("page "), 1000), mode: 0o644}}
}

// TestSameBytes packs the same files in a different order.
func TestSameBytes(t *testing.T) {
	date := time.Unix(1700000000, 0).UTC()
	turned := sample()
	slices.Reverse(turned)
	for _, system := range []string{"linux", "windows"} {
		_, a, err := pack(target{system, "amd64"}, "1", date, sample())
		require.NoError(t, err, system)
		_, b, err := pack(target{system, "amd64"}, "1", date.In(time.FixedZone("elsewhere", 3600)).UTC(), turned)
		require.NoError(t, err, system)
		require.Equal(t, a, b, system)
	}
}

func TestContents(t *testing.T) {
	date := time.Unix(1700000000, 0).UTC()
	name, data, err := pack(target{"linux", "amd64"}, "1", date, sample())
	require.Equal(t, "ltm_1_linux_amd64.tar.gz", name)
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
		if h.Name == "ltm_1_linux_amd64/ltm" {
			require.EqualValues(t, 0o755, h.Mode)
		}
		names = append(names, h.Name)
	}
	want := []string{"ltm_1_linux_amd64/README.md", "ltm_1_linux_amd64/ltm", "ltm_1_linux_amd64/man/man1/ltm.1"}
	require.Equal(t, want, names)

	name, data, err = pack(target{"windows", "amd64"}, "1", date, sample())
	require.Equal(t, "ltm_1_windows_amd64.zip", name)
	require.NoError(t, err)
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	for i, f := range files.File {
		require.Equal(t, strings.Replace(want[i], "linux", "windows", 1), f.Name)
		require.True(t, f.Modified.Equal(date))
	}
}
