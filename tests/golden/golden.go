package golden

import (
	"os"
	"testing"

	"github.com/aymanbagabas/go-udiff"
)

// Require fails with the lines that differ, unless a file has a text. With LTM_UPDATE=1 it writes the file.
func Require(t testing.TB, path, text string) {
	t.Helper()
	was, err := os.ReadFile(path)
	if err == nil && string(was) == text {
		return
	}
	if os.Getenv("LTM_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if err != nil {
		t.Fatalf(`%v; "make update" writes it`, err)
	}
	t.Fatalf("%s differs from what this test makes; \"make update\" writes it:\n%s", path,
		udiff.Unified("the file", "this test", string(was), text))
}
