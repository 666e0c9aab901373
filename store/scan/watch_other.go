//go:build !linux

package scan

import "os"

// watch would tell whether a folder changed; here every file is looked at.
type watch struct{}

func newWatch(*os.Root) *watch           { return nil }
func (*watch) changes() ([]string, bool) { return nil, false }
func (*watch) watches(os.FileInfo) bool  { return false }
func (*watch) close()                    {}
