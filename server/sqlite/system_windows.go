package sqlite

import "golang.org/x/sys/windows"

// names returns how many names a file has, as far as it is known: os.Stat does not say.
func names(string) (uint64, error) { return 1, nil }

// free returns how many bytes this user may still write on the disk of a directory.
func free(dir string) (bytes uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil)
	return bytes, err
}
