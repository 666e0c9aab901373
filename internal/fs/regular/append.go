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
	if info != nil {
		size = info.Size()
	}
	if !endsLine(f, size) {
		lines = append([]byte("\n"), lines...)
	}
	n, err := f.Write(lines)
	return size + int64(n), err
}

// endsLine reports whether a file of that size ends with a whole line.
func endsLine(f *os.File, size int64) bool {
	if size == 0 {
		return true
	}
	var last [1]byte
	_, err := f.ReadAt(last[:], size-1)
	return err == nil && last[0] == '\n'
}
