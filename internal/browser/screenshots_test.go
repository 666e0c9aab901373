//go:build e2e

package browser

import (
	"os"
	"path/filepath"
	"testing"

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
	{"edit", "/memory/%s/edit", look{}}, {"graph", "/graph?of=%s&depth=2", look{}}, {"fading", "/fading", look{}},
	{"trust", "/trust", look{}}, {"health", "/health", look{}}, {"time", "/time", look{}},
	{"packets", "/packets", look{}}, {"packet", "/packet/%p", look{}}, {"narrow", "/memory/%s", look{width: 400}},
}

// TestScreenshots makes the pictures anew, into the directory that LTM_SCREENSHOTS names.
func TestScreenshots(t *testing.T) {
	dir := os.Getenv("LTM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots makes them")
	}
	var h seeded
	s := newSite(t, func(s *site) { h = harbor(s) })
	for _, shot := range shots {
		b := s.tab(shot.look)
		b.open(h.at(shot.view))
		picture := act(b, chromedp.CaptureScreenshot())
		require.NoError(t, os.WriteFile(filepath.Join(dir, shot.name+".png"), picture, 0o644))
	}
}
