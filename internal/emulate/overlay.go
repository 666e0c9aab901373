package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Wine 8.0 does not remove files in the way that Go asks Windows to since 1.25:
// it answers that there is no such function, and Go takes that for an error. Go
// has the older way, too, behind a variable of its own tests. An overlay builds
// programs with that variable set; the file is made from the Go that builds, so
// that it is of the same version.

const (
	removeFile = "src/internal/syscall/windows/at_windows.go"
	removeOff  = "\nvar TestDeleteatFallback bool\n"
	removeOn   = "\nvar TestDeleteatFallback = true\n"
)

// writeOverlay writes the changed file and the list of it below dir, and returns
// the path of the list.
func writeOverlay(goroot, dir string) (string, error) {
	original := filepath.Join(goroot, filepath.FromSlash(removeFile))
	text, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	if bytes.Count(text, []byte(removeOff)) != 1 {
		return "", fmt.Errorf("%s of %s has no variable TestDeleteatFallback: see how this Go removes files on Windows",
			removeFile, runtime.Version())
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	changed := filepath.Join(dir, "at_windows.go")
	if err := os.WriteFile(changed, bytes.Replace(text, []byte(removeOff), []byte(removeOn), 1), 0o644); err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, list, 0o644)
}
