package regular

import "os"

// AppendLines adds whole lines to a file and returns its new size. A missing file is
// made; anything but a regular file is left alone. When a writer was killed in the
// middle of a line, the new lines begin on a line of their own.
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
