//go:build sdk

package described

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestWebChatRemembers plays the example in a browser: another visit knows what was said, until the user is forgotten.
func TestWebChatRemembers(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "examples", "web-chat"))
	require.NoError(t, err)
	url, key := serve(t, filepath.Join(t.TempDir(), "ltm.db"))
	node := exec.Command("node", filepath.Join(dir, "dist", "server.js"))
	node.Env = append(os.Environ(), "LTM_URL="+url, "LTM_KEY="+key, "PORT=0")
	node.Stderr = os.Stderr
	out, err := node.StdoutPipe()
	require.NoError(t, err)
	address := said(t, node, out)

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium(t)),
		chromedp.UserDataDir(t.TempDir()),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with it
	}
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser to end
		cancel()
	})
	say := func(text string) string {
		t.Helper()
		second := chromedp.CSS(`#said li:nth-child(2)`)
		require.NoError(t, chromedp.Do(ctx,
			chromedp.Navigate(address), // another thread
			chromedp.SendKeys(chromedp.CSS(`[name=text]`), text+"\r"),
			chromedp.WaitVisible(second)))
		reply, err := chromedp.Run(ctx, chromedp.Text(second))
		require.NoError(t, err)
		return reply
	}
	say("My cat is called Socks.")
	require.Contains(t, say("What is the name of my cat?"), "Socks")
	require.NoError(t, chromedp.Do(ctx, chromedp.Click(chromedp.CSS("#forget")),
		chromedp.WaitVisible(chromedp.CSS(`#said li:nth-child(3)`))))
	require.NotContains(t, say("What is the name of my cat?"), "Socks")
}

// chromium returns the browser.
func chromium(t *testing.T) string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no chromium, chromium-browser or google-chrome on the PATH (Debian: apt-get install chromium)")
	return ""
}
