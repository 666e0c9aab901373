package memfile

import "bytes"

// Same reports whether two files have the same bytes, apart from line ends, which git may have
// converted.
func Same(a, b []byte) bool {
	unix := func(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }
	return bytes.Equal(unix(a), unix(b))
}
