//go:build e2e

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// shots are the pictures in the documentation: each view, by the name of its file.
var shots = []struct {
	name, view string
	look
}{
	{"next", "/", look{}}, {"next-dark", "/", look{dark: true}},
	{"memories", "/memories?q=pool+size&explain=1", look{}}, {"memory", "/memory/%s", look{}},
	{"edit", "/memory/%s/edit", look{}}, {"new", "/new", look{}},
	{"graph", "/graph?of=%s&depth=2", look{}}, {"fading", "/fading", look{}},
	{"health", "/health", look{}}, {"time", "/time", look{}},
	{"packets", "/packets", look{}}, {"packet", "/packet/%p", look{}}, {"narrow", "/memory/%s", look{width: 400}},
}

// TestScreenshots takes the pictures again, into the directory that LTM_SCREENSHOTS names.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("LTM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots makes them")
	}
	var h seeded
	s := newSite(t, func(s *site) { h = harbor(s); s.age() })
	take := func(name, view string, l look) {
		b := s.tab(l)
		b.open(h.at(view))
		picture := act(b, chromedp.CaptureScreenshot())
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
	}
	for _, shot := range shots {
		take(shot.name, shot.view, shot.look)
	}
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "age")
	s.rewrite(h.memory, func(text []byte) []byte {
		return bytes.ReplaceAll(text, []byte("50 connections a worker"), []byte("90 connections a worker"))
	})
	take("trust", "/trust?show="+h.memory, look{})
	s.rewrite(h.memory, quarrel)
	take("conflicts", "/conflicts", look{})
}

// rewrite changes the file of a memory, as a merge does.
func (s *site) rewrite(id string, change func([]byte) []byte) {
	s.t.Helper()
	file := filepath.Join(s.dir, ".claude", "ltm", "memories", id+".md")
	text, err := os.ReadFile(file)
	require.NoError(s.t, err)
	require.NoError(s.t, os.WriteFile(file, change(text), 0o644))
}

// quarrel is a memory's file with both sides of a merge.
func quarrel(ours []byte) []byte {
	theirs := bytes.ReplaceAll(ours, []byte("0 connections a worker"), []byte("5 connections a worker, since March"))
	return slices.Concat([]byte("<<<<<<< HEAD\n"), ours, []byte("=======\n"), theirs, []byte(">>>>>>> side\n"))
}

// age gives the project's memories and the clone's counts a past, which pictures of time show.
func (s *site) age() {
	s.t.Helper()
	now := time.Now().UTC()
	files, err := filepath.Glob(filepath.Join(s.dir, ".claude", "ltm", "memories", "*.md"))
	require.NoError(s.t, err)
	created := regexp.MustCompile(`(?m)^created_at: .*$`)
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(s.t, err)
		at := now.AddDate(0, 0, -7*i-1).Format(time.RFC3339)
		require.NoError(s.t, os.WriteFile(file, created.ReplaceAll(text, []byte("created_at: "+at)), 0o644))
	}
	s.ltm("trust", "--all", "--yes")
	var days []string
	for i := range 30 {
		days = append(days, fmt.Sprintf("%s %d %d", now.AddDate(0, 0, i-29).Format(time.DateOnly), i*7%4, i*11%9))
	}
	var status struct {
		Clone string `json:"clone_path"`
	}
	require.NoError(s.t, json.Unmarshal([]byte(s.ltm("status", "--json")), &status))
	path := filepath.Join(status.Clone, "state.json")
	state := map[string]any{"version": 1, "session_count": 44}
	if data, err := os.ReadFile(path); err == nil {
		require.NoError(s.t, json.Unmarshal(data, &state))
	}
	state["days"] = strings.Join(days, ",")
	data, err := json.Marshal(state)
	require.NoError(s.t, err)
	require.NoError(s.t, os.WriteFile(path, data, 0o600))
}
