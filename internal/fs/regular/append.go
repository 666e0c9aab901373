package regular

import "os"

// AppendLines appends whole lines to a file and returns its new size. It creates a missing file,
// and fails with [ErrKind] if the name is not that of a regular file. If the file ends in the
// middle of a line, because a writer was killed, the new lines start on a line of their own.
func AppendLines(root *os.Root, name string, lines []byte) (int64, error) {
	info, err := Info(root, name)
	if err != nil {
		return 0, err
	}
	f, err := root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var size int64
	if info != nil && info.Size() > 0 {
		size = info.Size()
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil || last[0] != '\n' {
			lines = append([]byte("\n"), lines...)
		}
	}
	n, err := f.Write(lines)
	return size + int64(n), err
}
