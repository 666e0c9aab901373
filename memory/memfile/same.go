package memfile

import "bytes"

// Same reports whether two files have the same bytes, apart from line ends, which git may have
// converted.
func Same(a, b []byte) bool {
	return bytes.Equal(UnixLines(a), UnixLines(b))
}

// UnixLines returns data with "\n" line ends, of which git makes others on some systems.
func UnixLines(data []byte) []byte {
	if !bytes.Contains(data, []byte("\r\n")) {
		return data
	}
	return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
}
