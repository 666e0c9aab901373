// Command release builds the archives for download: the binary for each system with its documents,
// completions and manual pages, and the checksums.
//
//	go run ./internal/release [-out dist]
//
// Builds are reproducible: the same commit and Go version give the same bytes. Times come from
// SOURCE_DATE_EPOCH, or else from the commit.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/internal/gitcmd"
	"ltm/internal/hookguard"
)

func main() {
	out := flag.String("out", "dist", "the directory to write to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// target is a system to build for.
type target struct{ os, arch string }

func targets() []target {
	return []target{{"darwin", "amd64"}, {"darwin", "arm64"}, {"linux", "amd64"}, {"linux", "arm64"},
		{"windows", "amd64"}, {"windows", "arm64"}}
}

func run(out string) error {
	date, err := sourceDate()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "ltm-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	host, err := build(scratch, target{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	common, version, err := shared(host, scratch, date)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	for _, t := range targets() {
		binary, err := build(scratch, t)
		if err != nil {
			return err
		}
		name, data, err := pack(t, version, date, binary, common)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Printf("%s  %d bytes\n", filepath.Join(out, name), len(data))
	}
	return os.WriteFile(filepath.Join(out, "checksums.txt"), []byte(sums.String()), 0o644)
}

// sourceDate returns the time of all files in the archives.
func sourceDate() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		tree, err := gitcmd.Open(".", ".", os.Environ())
		var out []byte
		if err == nil {
			out, err = tree.Output(context.Background(), "log", "-1", "--format=%ct")
		}
		if err != nil {
			return time.Time{}, fmt.Errorf("set SOURCE_DATE_EPOCH: the commit's date cannot be read: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is no number of seconds: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// build makes the binary for a system and returns its path.
func build(dir string, t target) (string, error) {
	path := filepath.Join(dir, t.os+"-"+t.arch+".exe") // Windows needs the suffix; elsewhere it is harmless
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w "+hookguard.LinkFlags(t.os, t.arch), "-o", path,
		"./cmd/ltm")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building for %s/%s: %w\n%s", t.os, t.arch, err, out)
	}
	return path, nil
}

// shared returns the files that all archives contain, and the version.
func shared(host, scratch string, date time.Time) ([]file, string, error) {
	var files []file
	for _, name := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, "", fmt.Errorf("run this at the top of the repository: %w", err)
		}
		files = append(files, file{name, data, 0o644})
	}
	version, err := exec.Command(host, "version").Output()
	if err != nil {
		return nil, "", err
	}
	for shell, name := range map[string]string{"bash": "ltm.bash", "zsh": "_ltm", "fish": "ltm.fish",
		"powershell": "ltm.ps1"} {
		script, err := exec.Command(host, "completion", shell).Output()
		if err != nil {
			return nil, "", fmt.Errorf("completion for %s: %w", shell, err)
		}
		files = append(files, file{"completions/" + name, script, 0o644})
	}
	pages, err := manual(host, filepath.Join(scratch, "man"), date)
	if err != nil {
		return nil, "", err
	}
	files = append(files, pages...)
	return files, strings.TrimPrefix(strings.TrimSpace(string(version)), "ltm "), nil
}

// manual returns the manual pages.
func manual(host, dir string, date time.Time) ([]file, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.Command(host, "man", dir)
	cmd.Env = append(os.Environ(), fmt.Sprintf("SOURCE_DATE_EPOCH=%d", date.Unix()))
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("writing the manual: %w\n%s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		return nil, err
	}
	var files []file
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"man/man1/" + filepath.Base(page), data, 0o644})
	}
	return files, nil
}

// pack makes the archive for a system. Its files are in one top-level directory.
func pack(
	t target, version string, date time.Time, binary string, common []file,
) (name string, data []byte, err error) {
	program, err := os.ReadFile(binary)
	if err != nil {
		return "", nil, err
	}
	folder := fmt.Sprintf("ltm_%s_%s_%s", version, t.os, t.arch)
	if t.os == "windows" {
		data, err = zipped(folder, append(slices.Clone(common), file{"ltm.exe", program, 0o755}), date)
		return folder + ".zip", data, err
	}
	data, err = tarred(folder, append(slices.Clone(common), file{"ltm", program, 0o755}), date)
	return folder + ".tar.gz", data, err
}
