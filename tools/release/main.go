// Command release builds the files for download: for each system an archive of both programs with their
// documents, completions and manual pages, and a bundle of the MCP server (MCPB); what each program consists of
// (CycloneDX); server.json for the MCP registry; the installer; and the checksums. With -images, it builds the
// images of the server for containers instead.
//
//	go run ./tools/release [-images] [-out dist] [-url URL] [-name NAME]
//
// Builds are reproducible: the same commit and Go version give the same bytes. Times come from
// SOURCE_DATE_EPOCH, or else from the commit.
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ltm/internal/git/gitcmd"
)

func main() {
	out := flag.String("out", "dist", "the directory to write to")
	images := flag.Bool("images", false, "build the images of ltm-server")
	var p publication
	flag.StringVar(&p.url, "url", "https://example.com/ltm", "where the files will be published")
	flag.StringVar(&p.name, "name", "com.example/ltm", "the server's name in the MCP registry")
	flag.Parse()
	do := func(out string) error { return run(out, p, targets()) }
	if *images {
		do = runImages
	}
	if err := do(*out); err != nil {
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

// run writes the files of a release for some systems into the directory out.
func run(out string, published publication, systems []target) error {
	date, err := sourceDate()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "ltm-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	common, version, err := shared(scratch, date)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums strings.Builder
	write := func(name string, data []byte) error {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
		fmt.Printf("%s  %d bytes\n", filepath.Join(out, name), len(data))
		return os.WriteFile(filepath.Join(out, name), data, 0o644)
	}
	for _, program := range programs() {
		parts, err := sbom(scratch, program, version, date)
		if err != nil {
			return err
		}
		if err := write(parts.name, parts.data); err != nil {
			return err
		}
	}
	for _, t := range systems {
		binaries, err := programsFor(scratch, t)
		if err != nil {
			return err
		}
		name, data, err := pack(t, version, date, append(slices.Clone(common), binaries...))
		if err != nil {
			return err
		}
		if err := write(name, data); err != nil {
			return err
		}
		if name, data, err = bundle(t, version, date, binaries[0]); err != nil {
			return err
		}
		if err := write(name, data); err != nil {
			return err
		}
		published.add(name, data)
	}
	entry, err := published.entry(version)
	if err != nil {
		return err
	}
	installer, err := os.ReadFile("packaging/install.sh")
	if err != nil {
		return err
	}
	schema, err := os.ReadFile("docs/packet.schema.json")
	if err != nil {
		return err
	}
	if err := errors.Join(write("server.json", entry), write("install.sh", installer),
		write("packet.schema.json", schema)); err != nil {
		return err
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

// programs lists the commands of the archives.
func programs() []string { return []string{"ltm", "ltm-server"} }

// build makes a program for a system and returns its path.
func build(dir, program string, t target) (string, error) {
	// Windows needs the suffix; elsewhere it is harmless
	path := filepath.Join(dir, program+"-"+t.os+"-"+t.arch+".exe")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path, "./cmd/"+program)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building %s for %s/%s: %w\n%s", program, t.os, t.arch, err, out)
	}
	return path, nil
}

// programsFor returns the programs for a system.
func programsFor(scratch string, t target) ([]file, error) {
	var files []file
	for _, program := range programs() {
		path, err := build(scratch, program, t)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name := program
		if t.os == "windows" {
			name += ".exe"
		}
		files = append(files, file{name: name, data: data, mode: 0o755})
	}
	return files, nil
}

// versionOf returns what a program says of itself after its name.
func versionOf(program, path string) (string, error) {
	out, err := exec.Command(path, "version").Output()
	if err != nil {
		return "", fmt.Errorf("version of %s: %w", program, err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out)), program+" "), nil
}

// shared returns the files that all archives contain, and the version.
func shared(scratch string, date time.Time) ([]file, string, error) {
	var files []file
	for _, name := range append([]string{"README.md", "LICENSE", "CHANGELOG.md", "docs/server.md"}, services()...) {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, "", fmt.Errorf("run this at the top of the repository: %w", err)
		}
		files = append(files, file{name: name, data: data, mode: 0o644})
	}
	version := ""
	for _, program := range programs() {
		host, err := build(scratch, program, target{runtime.GOOS, runtime.GOARCH})
		if err != nil {
			return nil, "", err
		}
		its, err := versionOf(program, host)
		if err != nil {
			return nil, "", err
		}
		if version != "" && its != version {
			return nil, "", fmt.Errorf("%s is of version %s, and the other program of %s", program, its, version)
		}
		version = its
		more, err := help(program, host, filepath.Join(scratch, program+"-man"), date)
		if err != nil {
			return nil, "", err
		}
		files = append(files, more...)
	}
	return files, version, nil
}

// services lists the files that run the server as a service.
func services() []string {
	return []string{"packaging/systemd/ltm-server.service", "packaging/systemd/ltm-server.env",
		"packaging/systemd/ltm-server-backup.service", "packaging/systemd/ltm-server-backup.timer"}
}

// help returns a program's completions and manual pages.
func help(program, host, scratch string, date time.Time) ([]file, error) {
	var files []file
	for shell, name := range map[string]string{"bash": program + ".bash", "zsh": "_" + program,
		"fish": program + ".fish", "powershell": program + ".ps1"} {
		script, err := exec.Command(host, "completion", shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion of %s for %s: %w", program, shell, err)
		}
		files = append(files, file{name: "completions/" + name, data: script, mode: 0o644})
	}
	pages, err := manual(program, scratch, date)
	return append(files, pages...), err
}

// manual returns the manual pages.
func manual(program, dir string, date time.Time) ([]file, error) {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "run", "-trimpath", "-tags", "manual", "./cmd/"+program, dir)
	cmd.Env = append(os.Environ(), "GOFLAGS=", fmt.Sprintf("SOURCE_DATE_EPOCH=%d", date.Unix()))
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
		files = append(files, file{name: "man/man1/" + filepath.Base(page), data: data, mode: 0o644})
	}
	return files, nil
}

// pack makes the archive for a system. Its files are in one top-level directory.
func pack(t target, version string, date time.Time, files []file) (name string, data []byte, err error) {
	folder := fmt.Sprintf("ltm_%s_%s_%s", version, t.os, t.arch)
	files = slices.Clone(files)
	for i := range files {
		files[i].name = folder + "/" + files[i].name
	}
	if t.os == "windows" {
		data, err = zipped(files, date)
		return folder + ".zip", data, err
	}
	if data, err = tarred(files, date); err == nil {
		data, err = gzipped(data)
	}
	return folder + ".tar.gz", data, err
}

// cyclonedx lists the modules of a program.
const cyclonedx = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// sbom returns what a program consists of, as CycloneDX in JSON.
func sbom(scratch, program, version string, date time.Time) (file, error) {
	path := filepath.Join(scratch, program+".cdx.json")
	cmd := exec.Command("go", "run", cyclonedx, "app", "-json", "-noserial", "-main", "./cmd/"+program,
		"-output", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return file{}, fmt.Errorf("listing the modules of %s: %w\n%s", program, err, out)
	}
	data, err := os.ReadFile(path)
	return file{name: program + "_" + version + ".cdx.json", data: dated(data, date)}, err
}

var timestamp = regexp.MustCompile(`"timestamp": "[^"]*"`)

// dated puts the time of all files in the place of the current one, so that the same commit gives the same bytes.
func dated(document []byte, date time.Time) []byte {
	return timestamp.ReplaceAllLiteral(document, []byte(`"timestamp": "`+date.Format(time.RFC3339)+`"`))
}
