package atomicfile

import "os"

// replace replaces a file. renameio does not exist for Windows.
func replace(root *os.Root, name string, data []byte) error {
	staged, err := Stage(root, name, data, 0)
	if err != nil {
		return err
	}
	return staged.Commit(name)
}
