package memfile

import "bytes"

// Same reports whether the bytes of two files are alike, line ends aside: git may have
// converted those of one.
func Same(a, b []byte) bool {
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(unix(a), unix(b))
}
