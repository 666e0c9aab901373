package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// The media types of the OCI image specification.
const (
	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// imageUser is the user and group that the server runs as in a container. It owns /data, which is
// the only place that the server writes to.
const imageUser = 65532

// object is a JSON object. Its keys are written in order, so that the same content gives the same bytes.
type object = map[string]any

// descriptor names a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    *platform         `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

type platform struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
}

// runImages builds an image of the server for each architecture, from scratch: it contains the
// program, its directory for data, and nothing else.
func runImages(out string) error {
	date, err := sourceDate()
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "ltm-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	host, err := build(scratch, "ltm-server", target{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	version, err := versionOf("ltm-server", host)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for _, arch := range []string{"amd64", "arm64"} {
		path, err := build(scratch, "ltm-server", target{"linux", arch})
		if err != nil {
			return err
		}
		program, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		data, err := image(program, arch, version, date)
		if err != nil {
			return err
		}
		name := filepath.Join(out, fmt.Sprintf("ltm-server_%s_linux_%s.oci.tar", version, arch))
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s  %d bytes  sha256:%x\n", name, len(data), sha256.Sum256(data))
	}
	return nil
}

// image returns an archive with an image layout, which podman, skopeo and docker load.
func image(program []byte, arch, version string, date time.Time) ([]byte, error) {
	plain, err := layer(program, date)
	if err != nil {
		return nil, err
	}
	packed, err := gzipped(plain)
	if err != nil {
		return nil, err
	}
	layout := &layout{date: date, blobs: map[string][]byte{}}
	content := layout.add(layerType, packed)
	config := layout.addJSON(configType, imageConfig(arch, version, digest(plain), date))
	manifest := layout.addJSON(manifestType, object{"schemaVersion": 2, "mediaType": manifestType, "config": config,
		"layers": []descriptor{content}})
	manifest.Platform = &platform{arch, "linux"}
	reference := "ltm-server:" + version
	manifest.Annotations = map[string]string{"io.containerd.image.name": "docker.io/library/" + reference,
		"org.opencontainers.image.ref.name": version}
	return layout.pack(reference, manifest, config, content)
}

// layer returns the files of the image as a tar archive.
func layer(program []byte, date time.Time) ([]byte, error) {
	users := fmt.Sprintf("root:x:0:0:root:/:/sbin/nologin\nltm:x:%d:%[1]d:ltm:/data:/sbin/nologin\n", imageUser)
	groups := fmt.Sprintf("root:x:0:\nltm:x:%d:\n", imageUser)
	return tarred([]file{
		{name: "data/", mode: 0o700, owner: imageUser},
		{name: "etc/", mode: 0o755}, {name: "etc/group", mode: 0o644, data: []byte(groups)},
		{name: "etc/passwd", mode: 0o644, data: []byte(users)},
		{name: "ltm-server", mode: 0o755, data: program},
		{name: "tmp/", mode: 0o1777},
	}, date)
}

// imageConfig says how the image is run. Inside a container, loopback would be out of reach of
// everyone else, so that the server listens on all addresses of the container.
func imageConfig(arch, version, layer string, date time.Time) object {
	return object{
		"created": date.Format(time.RFC3339), "architecture": arch, "os": "linux",
		"config": object{
			"User": fmt.Sprintf("%d:%[1]d", imageUser), "WorkingDir": "/data",
			"Entrypoint": []string{"/ltm-server"}, "Cmd": []string{"serve"},
			"Env":          []string{"LTM_SERVER_ADDR=0.0.0.0:" + port, "LTM_SERVER_DB=/data/ltm.db"},
			"ExposedPorts": object{port + "/tcp": object{}}, "Volumes": object{"/data": object{}},
			"StopSignal": "SIGTERM",
			"Labels": map[string]string{"org.opencontainers.image.title": "ltm-server",
				"org.opencontainers.image.version": version},
			// an extension of docker; others ignore it
			"Healthcheck": object{"Test": []string{"CMD", "/ltm-server", "healthcheck"},
				"Interval": 30 * time.Second, "Timeout": 5 * time.Second, "StartPeriod": 10 * time.Second},
		},
		"rootfs":  object{"type": "layers", "diff_ids": []string{layer}},
		"history": []object{{"created": date.Format(time.RFC3339), "created_by": "ltm tools/release"}},
	}
}

// port is the port of cmd/ltm-server's default address.
const port = "5860"

// layout is an image layout in the making.
type layout struct {
	date  time.Time
	blobs map[string][]byte
}

func digest(data []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(data)) }

func blobPath(digest string) string { return "blobs/" + strings.ReplaceAll(digest, ":", "/") }

func (l *layout) add(mediaType string, data []byte) descriptor {
	d := digest(data)
	l.blobs[d] = data
	return descriptor{MediaType: mediaType, Digest: d, Size: len(data)}
}

func (l *layout) addJSON(mediaType string, v any) descriptor {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // there are only texts, numbers and lists in it
	}
	return l.add(mediaType, data)
}

// pack returns the layout as a tar archive, with the additional list that older versions of docker read.
func (l *layout) pack(reference string, manifest, config, layer descriptor) ([]byte, error) {
	index, err := json.Marshal(object{"schemaVersion": 2, "mediaType": indexType, "manifests": []descriptor{manifest}})
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal([]object{{"Config": blobPath(config.Digest), "RepoTags": []string{reference},
		"Layers": []string{blobPath(layer.Digest)}}})
	if err != nil {
		return nil, err
	}
	files := []file{{name: "oci-layout", data: []byte(`{"imageLayoutVersion":"1.0.0"}`), mode: 0o644},
		{name: "index.json", data: index, mode: 0o644}, {name: "manifest.json", data: list, mode: 0o644},
		{name: "blobs/", mode: 0o755}, {name: "blobs/sha256/", mode: 0o755}}
	for d, data := range l.blobs {
		files = append(files, file{name: blobPath(d), data: data, mode: 0o644})
	}
	return tarred(files, l.date)
}
