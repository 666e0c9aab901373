package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"ltm/internal/npm"
)

// release returns a directory with a release: the one that LTM_DIST names, or one for this system alone.
func release(t *testing.T) string {
	t.Helper()
	t.Chdir(filepath.Join("..", ".."))
	if dist := os.Getenv("LTM_DIST"); dist != "" {
		return dist
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	dist := t.TempDir()
	published := publication{url: "https://example.com/ltm", name: "com.example/ltm"}
	require.NoError(t, run(dist, published, []target{{runtime.GOOS, runtime.GOARCH}}))
	return dist
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(data)
}

// TestRelease builds a release and uses its files as those do who download them.
func TestRelease(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the installer is for Linux and macOS")
	}
	need(t, "curl")
	dist := release(t)
	t.Run("Checksums", func(t *testing.T) {
		lines := strings.Split(strings.TrimSpace(read(t, dist, "checksums.txt")), "\n")
		files, err := os.ReadDir(dist)
		require.NoError(t, err)
		require.Len(t, lines, len(files)-1, "all files but itself")
		for _, line := range lines {
			sum, name, _ := strings.Cut(line, "  ")
			require.Equal(t, sum, fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, dist, name)))), name)
		}
	})
	t.Run("Installer", func(t *testing.T) { testInstaller(t, dist) })
	t.Run("Bundle", func(t *testing.T) { testBundle(t, dist) })
	t.Run("Registry", func(t *testing.T) { testEntry(t, dist) })
}

// testInstaller installs from a server on this machine, by the line of README.md, by a pipe and from the directory.
func testInstaller(t *testing.T, dist string) {
	server := httptest.NewServer(http.FileServer(http.Dir(dist)))
	t.Cleanup(server.Close)
	sums := fmt.Sprintf("%x", sha256.Sum256([]byte(read(t, dist, "checksums.txt"))))
	install := func(t *testing.T, script string) (home, output string, err error) {
		home = t.TempDir()
		cmd := exec.Command("sh", "-c", script)
		cmd.Dir = home
		cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"),
			"LTM_URL=" + server.URL, "SUM=" + sums, "DIST=" + absolute(t, dist)}
		out, err := cmd.CombinedOutput()
		return home, string(out), err
	}
	line := regexp.MustCompile(`(?m)^curl .*install\.sh.*$`).FindString(read(t, "README.md"))
	require.NotEmpty(t, line)
	for name, script := range map[string]string{
		"README":    line,
		"pipe":      `curl -fsS "$LTM_URL/install.sh" | sh -s -- --from "$LTM_URL" --sha256 "$SUM"`,
		"directory": `sh "$DIST/install.sh" --from "$DIST"`,
		"prefix":    `sh "$DIST/install.sh" --from "$DIST" --prefix .local`,
		"slash":     `sh "$DIST/install.sh" --from "$DIST" --prefix "$HOME/.local/"`,
		"returns":   `cp -r "$DIST" d && sed -i.old "s/$/$(printf '\r')/" d/checksums.txt && sh d/install.sh --from d`,
		"again":     `sh "$DIST/install.sh" --from "$DIST" && sh "$DIST/install.sh" --from "$DIST"`,
	} {
		t.Run(name, func(t *testing.T) {
			home, output, err := install(t, script)
			require.NoError(t, err, output)
			require.Contains(t, output, "verified ltm_")
			require.Contains(t, output, "Add "+home+"/.local/bin to your PATH")
			for _, program := range programs() {
				out, err := exec.Command(filepath.Join(home, ".local", "bin", program), "version").Output()
				require.NoError(t, err)
				require.Contains(t, string(out), program+" ")
				require.Contains(t, read(t, home, ".local", "share", "man", "man1", program+".1"), ".TH")
				require.NotEmpty(t, read(t, home, ".local", "share", "zsh", "site-functions", "_"+program))
			}
			left, err := filepath.Glob(filepath.Join(home, ".local", "*", "*.new"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
	t.Run("link", func(t *testing.T) {
		home, output, err := install(t, `mkdir d && ln -s "$HOME/victim" d/version && touch victim
			for f in "$DIST"/*.tar.gz; do gzip -dc "$f" >d/all.tar; tar -rf d/all.tar -C d version; gzip -c d/all.tar >"d/${f##*/}"; done
			cp "$DIST/install.sh" d; ( cd d; `+sumsOf+` ); sh d/install.sh --from d`)
		require.NoError(t, err, output)
		require.Empty(t, read(t, home, "victim"), "nothing is written through a link of the archive")
	})
	for name, c := range map[string]struct{ script, says string }{
		"pipe":     {`curl -fsS "$LTM_URL/install.sh" | sh -s -- --from "$LTM_URL"`, "through a pipe, --sha256 is needed"},
		"sum":      {`sh "$DIST/install.sh" --from "$DIST" --sha256 ` + strings.Repeat("0", 64), "nothing was installed"},
		"no sum":   {`sh "$DIST/install.sh" --from "$DIST" --sha256 abc`, "3 characters instead of 64"},
		"http":     {`sh "$DIST/install.sh" --from http://example.com`, "use https"},
		"ftp":      {`sh "$DIST/install.sh" --from ftp://example.com`, "use https"},
		"nowhere":  {`sh "$DIST/install.sh" --from "$HOME/none"`, "no such directory"},
		"empty":    {`sh "$DIST/install.sh" --from "$HOME"`, "has no checksums.txt"},
		"missing":  {`sh "$DIST/install.sh" --from "$LTM_URL/none"`, "cannot download"},
		"no place": {`sh "$DIST/install.sh"`, "where is the release?"},
		"argument": {`sh "$DIST/install.sh" "$DIST"`, "unknown argument"},
		"changed":  {`cp -r "$DIST" d && for f in d/*.tar.gz; do echo >>"$f"; done; sh d/install.sh --from d`, "nothing was installed"},
		"interrupted": {`mkdir d && printf '#!/bin/sh\nkill -TERM $PPID\n' >d/mv && chmod +x d/mv
			PATH=$PWD/d:$PATH sh "$DIST/install.sh" --from "$DIST"`, ""},
		"truncated": {`mkdir d && for f in "$DIST"/*.tar.gz; do head -c 100000 "$f" >"d/${f##*/}"; done;
			cp "$DIST/install.sh" d; ( cd d; ` + sumsOf + ` ); sh d/install.sh --from d`, "cannot be unpacked: nothing was installed"},
		"system":     {`cp -r "$DIST" d && sed -i.old 's/_[a-z0-9]*\.tar\.gz/_riscv64.tar.gz/' d/checksums.txt; sh d/install.sh --from d`, "lists no archive"},
		"permission": {`mkdir -p .local && touch .local/bin && sh "$DIST/install.sh" --from "$DIST"`, "could not be installed"},
	} {
		t.Run("refuses/"+name, func(t *testing.T) {
			home, output, err := install(t, c.script)
			require.Error(t, err, output)
			require.Contains(t, output, c.says)
			require.NoFileExists(t, filepath.Join(home, ".local", "bin", "ltm"))
			require.NoFileExists(t, filepath.Join(home, ".local", "bin", "ltm.new"))
		})
	}
}

// sumsOf writes the checksums of the archives in the present directory.
const sumsOf = `for f in *.tar.gz; do printf '%s  %s\n' "$(openssl dgst -sha256 -r "$f" | cut -c 1-64)" "$f"; done >checksums.txt`

func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	return path
}

// testBundle checks a bundle with the tool of those who defined the format, and runs its server as an application does.
func testBundle(t *testing.T, dist string) {
	bundles, err := filepath.Glob(filepath.Join(dist, "*_"+runtime.GOOS+"_"+runtime.GOARCH+".mcpb"))
	require.NoError(t, err)
	require.Len(t, bundles, 1)
	z, err := zip.OpenReader(bundles[0])
	require.NoError(t, err)
	t.Cleanup(func() { z.Close() })
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, z))
	t.Run("Manifest", func(t *testing.T) { validateManifest(t, filepath.Join(dir, "manifest.json")) })

	var manifest struct {
		Server struct {
			MCPConfig struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, dir, "manifest.json")), &manifest))
	project := t.TempDir()
	out, err := exec.Command("git", "init", "-q", project).CombinedOutput()
	require.NoError(t, err, string(out))
	filled := strings.NewReplacer("${__dirname}", dir, "${user_config.project}", project)
	var args []string
	for _, arg := range manifest.Server.MCPConfig.Args {
		args = append(args, filled.Replace(arg))
	}
	command := filled.Replace(manifest.Server.MCPConfig.Command)
	require.NoError(t, os.Chmod(command, 0o755), "as an application does after unpacking")
	peer, err := client.NewStdioMCPClient(command, []string{"HOME=" + t.TempDir()}, args...)
	require.NoError(t, err)
	t.Cleanup(func() { peer.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err = peer.Initialize(ctx, mcp.InitializeRequest{})
	require.NoError(t, err)
	call := mcp.CallToolRequest{}
	call.Params.Name = "store_memory"
	call.Params.Arguments = map[string]any{"topic": "Retries", "content": "The retry budget is per host."}
	result, err := peer.CallTool(ctx, call)
	require.NoError(t, err)
	require.False(t, result.IsError, "%v", result.Content)
	stored, err := filepath.Glob(filepath.Join(project, ".claude", "ltm", "memories", "*.md"))
	require.NoError(t, err)
	require.Len(t, stored, 1)
}

// need skips the test where a program is not installed, or fails if LTM_REQUIRE_CURL is 1, as it is in CI.
func need(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		require.NotEqual(t, "1", os.Getenv("LTM_REQUIRE_CURL"), "%s is not installed", program)
		t.Skip(program + " is not installed; .ci/run installs what it needs")
	}
}

// validateManifest runs "mcpb validate", which npm installs.
func validateManifest(t *testing.T, manifest string) {
	t.Helper()
	need(t, "npm")
	files := os.DirFS("tools/release/testdata/mcpb")
	dir, installed, err := npm.Dir("mcpb", files)
	require.NoError(t, err)
	if !installed {
		require.NoError(t, npm.Install(dir, files))
	}
	out, err := exec.Command(filepath.Join(dir, "node_modules", ".bin", "mcpb"), "validate", manifest).CombinedOutput()
	require.NoError(t, err, string(out))
}

// registry is the module that holds the schemas of the MCP registry.
const registry = "github.com/modelcontextprotocol/registry@v1.8.9"

// testEntry validates server.json against the registry's schema, and follows it to the bundles.
func testEntry(t *testing.T, dist string) {
	out, err := exec.Command("go", "mod", "download", "-json", registry).Output()
	require.NoError(t, err)
	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &module))
	var schema jsonschema.Schema
	text := read(t, module.Dir, "internal", "validators", "schemas", "2025-12-11.json")
	require.NoError(t, json.Unmarshal([]byte(text), &schema))
	resolved, err := schema.Resolve(nil)
	require.NoError(t, err)
	var entry any
	require.NoError(t, json.Unmarshal([]byte(read(t, dist, "server.json")), &entry))
	require.NoError(t, resolved.Validate(entry))
	entry.(map[string]any)["name"] = "no slash"
	require.Error(t, resolved.Validate(entry), "the schema judges")

	var typed struct {
		Packages []struct{ Identifier, FileSha256 string }
	}
	require.NoError(t, json.NewDecoder(bytes.NewBufferString(read(t, dist, "server.json"))).Decode(&typed))
	require.NotEmpty(t, typed.Packages)
	for _, p := range typed.Packages {
		f, err := os.Open(filepath.Join(dist, filepath.Base(p.Identifier)))
		require.NoError(t, err)
		sum := sha256.New()
		_, err = io.Copy(sum, f)
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.Equal(t, fmt.Sprintf("%x", sum.Sum(nil)), p.FileSha256)
	}
}
