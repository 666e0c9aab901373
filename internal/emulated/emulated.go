// Package emulated lets tests skip checks that fail under an emulator but not on the emulated system.
//
// The skipped test gives a reason, which the program that started the emulator prints. On the real
// system the test runs. Command tools/emulate starts the emulators.
package emulated

import (
	"os"
	"runtime"
	"testing"
)

// SkipUnderWine skips a test that needs something that Wine does differently than Windows; reason says what.
func SkipUnderWine(t testing.TB, reason string) {
	t.Helper()
	if Wine() {
		t.Skip("Wine: " + reason)
	}
}

// Symlink makes a symbolic link. The test is skipped where there can be none: under Wine, and on
// Windows if the account has no right to make links.
func Symlink(t testing.TB, target, name string) {
	t.Helper()
	SkipUnderWine(t, "it reports that a symbolic link was made, and makes none")
	err := os.Symlink(target, name)
	switch {
	case err != nil && runtime.GOOS == "windows":
		t.Skip("links need a right of the account that runs the tests: ", err)
	case err != nil:
		t.Fatal(err)
	}
}
