//go:build !linux && !darwin

package atomicfile

import "os"

func syncFS(*os.Root) bool { return false }

func flush(f *os.File) error { return f.Sync() }
