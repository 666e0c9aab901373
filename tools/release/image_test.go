package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// entries returns the files of a tar archive by their names, and its headers in order.
func entries(t *testing.T, data []byte) (map[string][]byte, []*tar.Header) {
	t.Helper()
	files := map[string][]byte{}
	var headers []*tar.Header
	for r := tar.NewReader(bytes.NewReader(data)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, headers
		}
		require.NoError(t, err)
		headers = append(headers, h)
		files[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
	}
}

// runConfig is what an image says about how it is run.
type runConfig struct {
	OS, Architecture string
	Config           struct {
		User                 string
		Env, Entrypoint, Cmd []string
		Volumes              map[string]any
		Healthcheck          struct{ Test []string }
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// unpacked follows an image's index to its configuration and its layer, and checks every digest.
func unpacked(t *testing.T, data []byte) (runConfig, []byte) {
	t.Helper()
	files, _ := entries(t, data)
	require.JSONEq(t, `{"imageLayoutVersion":"1.0.0"}`, string(files["oci-layout"]))
	blob := func(d descriptor) []byte {
		found, ok := files[blobPath(d.Digest)]
		require.True(t, ok, d.Digest)
		require.Equal(t, d.Digest, digest(found))
		require.Len(t, found, d.Size)
		return found
	}
	var index struct{ Manifests []descriptor }
	require.NoError(t, json.Unmarshal(files["index.json"], &index))
	require.Len(t, index.Manifests, 1)
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	require.NoError(t, json.Unmarshal(blob(index.Manifests[0]), &manifest))
	require.Len(t, manifest.Layers, 1)
	var config runConfig
	require.NoError(t, json.Unmarshal(blob(manifest.Config), &config))
	z, err := gzip.NewReader(bytes.NewReader(blob(manifest.Layers[0])))
	require.NoError(t, err)
	layer, err := io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, []string{digest(layer)}, config.RootFS.DiffIDs)

	var older []struct {
		Config           string
		RepoTags, Layers []string
	}
	require.NoError(t, json.Unmarshal(files["manifest.json"], &older))
	require.Equal(t, blobPath(manifest.Config.Digest), older[0].Config)
	require.Equal(t, []string{blobPath(manifest.Layers[0].Digest)}, older[0].Layers)
	return config, layer
}

// TestImage makes an image of the real server twice, unpacks it as a container's runtime does, and
// runs what is in it.
func TestImage(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("images are for Linux, and their program is run here")
	}
	t.Chdir(filepath.Join("..", ".."))
	path, err := build(t.TempDir(), "ltm-server", target{"linux", runtime.GOARCH})
	require.NoError(t, err)
	program, err := os.ReadFile(path)
	require.NoError(t, err)
	date := time.Unix(1700000000, 0).UTC()
	data, err := image(program, runtime.GOARCH, "1.2.3", date)
	require.NoError(t, err)
	again, err := image(program, runtime.GOARCH, "1.2.3", date)
	require.NoError(t, err)
	require.Equal(t, digest(data), digest(again))

	config, layer := unpacked(t, data)
	require.Equal(t, "linux", config.OS)
	require.Equal(t, runtime.GOARCH, config.Architecture)
	require.Equal(t, "65532:65532", config.Config.User, "not root")
	require.Contains(t, config.Config.Volumes, "/data")
	root := t.TempDir()
	files, headers := entries(t, layer)
	for _, h := range headers {
		to := filepath.Join(root, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			require.NoError(t, os.MkdirAll(to, h.FileInfo().Mode()))
			continue
		}
		require.NoError(t, os.WriteFile(to, files[h.Name], h.FileInfo().Mode()))
	}
	require.Equal(t, "data/", headers[0].Name)
	require.Equal(t, imageUser, headers[0].Uid)
	require.EqualValues(t, 0o700, headers[0].Mode)

	require.Equal(t, []string{"/ltm-server"}, config.Config.Entrypoint)
	cmd := exec.Command(filepath.Join(root, config.Config.Entrypoint[0]), "config", "--json")
	cmd.Env = config.Config.Env
	out, err := cmd.Output()
	require.NoError(t, err)
	var options []struct{ Name, Value, Source string }
	require.NoError(t, json.Unmarshal(out, &options))
	values := map[string]string{}
	for _, o := range options {
		values[o.Name] = o.Value
	}
	require.Equal(t, "/data/ltm.db", values["db"])
	require.Equal(t, "0.0.0.0:5860", values["addr"], "loopback would be out of everyone's reach")
	useImage(t, root, config)
}

// useImage starts the server of an unpacked image, and checks it as the image says.
func useImage(t *testing.T, root string, config runConfig) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(root, config.Config.Entrypoint[0]), args...)
		cmd.Env = []string{"LTM_SERVER_ADDR=" + addr, "LTM_SERVER_DB=" + filepath.Join(root, "data", "ltm.db")}
		return cmd
	}
	out, err := command("version").Output()
	require.NoError(t, err)
	require.Contains(t, string(out), "ltm-server ")
	out, err = command("init").Output()
	require.NoError(t, err)
	require.Len(t, strings.TrimSpace(string(out)), 53)

	require.Equal(t, "/ltm-server", config.Config.Healthcheck.Test[1])
	check := config.Config.Healthcheck.Test[2:]
	require.Error(t, command(check...).Run(), "nothing runs yet")
	server := command(config.Config.Cmd...)
	require.NoError(t, server.Start())
	defer func() {
		require.NoError(t, server.Process.Signal(syscall.SIGTERM))
		require.NoError(t, server.Wait())
	}()
	out, err = command(append(check, "--wait", "30s")...).Output()
	require.NoError(t, err)
	require.Equal(t, "ready\n", string(out))
}
