//go:build !linux

package main

import "os"

// watch works on Linux only.
func watch() { os.Exit(exitFailure) }
