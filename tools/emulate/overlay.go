package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Since 1.25, Go removes files in a way that Wine 8.0 does not support: Wine answers that there is
// no such function, and Go treats that as an error. Go still has the older way, behind a variable
// for its own tests. An overlay builds programs with that variable set. Its file is derived from
// the Go that builds, so that their versions match.

const (
	removeFile = "src/internal/syscall/windows/at_windows.go"
	removeOff  = "\nvar TestDeleteatFallback bool\n"
	removeOn   = "\nvar TestDeleteatFallback = true\n"
)

// writeOverlay writes the changed file and the overlay's JSON below dir, and returns the path of
// the JSON.
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
