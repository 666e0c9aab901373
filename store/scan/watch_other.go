//go:build !linux

package scan

import "os"

// watch is not available on this system: every look compares stamps.
type watch struct{}

func newWatch(...*os.Root) *watch        { return nil }
func (*watch) changes() ([]string, bool) { return nil, false }
func (*watch) changed() (bool, bool)     { return false, false }
func (*watch) quiet() (bool, bool)       { return false, false }
func (*watch) watches(os.FileInfo) bool  { return false }
func (*watch) close()                    {}
