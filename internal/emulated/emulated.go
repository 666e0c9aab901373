// Package emulated tells tests that they run under an emulator, which can do less
// than the system it stands for.
//
// A test that an emulator cannot run is skipped with the reason, which the
// program that started the emulator prints. On the real system it runs. Command
// internal/emulate starts the emulators.
package emulated

import "testing"

// SkipUnderWine skips a test that needs what Wine does not do as Windows does it.
// The reason names that.
func SkipUnderWine(t testing.TB, reason string) {
	t.Helper()
	if Wine() {
		t.Skip("Wine: " + reason)
	}
}
