// Package emulated lets tests skip what an emulator cannot do although the emulated system can.
//
// The skipped test gives a reason, which the program that started the emulator prints. On the real
// system the test runs. Command internal/emulate starts the emulators.
package emulated

import "testing"

// SkipUnderWine skips a test that needs something that Wine does differently than Windows; reason
// says what.
func SkipUnderWine(t testing.TB, reason string) {
	t.Helper()
	if Wine() {
		t.Skip("Wine: " + reason)
	}
}
