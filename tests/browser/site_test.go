//go:build e2e

package browser

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// timeLimit bounds one test.
const timeLimit = 3 * time.Minute

// site is a scratch project with its page, and a browser.
type site struct {
	t       *testing.T
	ctx     context.Context // of the browser
	dir     string          // the project
	home    string
	address string // with the link that signs in once
	output  *output
	server  *exec.Cmd
	end     func() // of the server
	first   *tab
}

// output collects what a program prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// newSite makes a project with a store that seed fills, and opens its page in a browser.
func newSite(t *testing.T, seed func(*site)) *site {
	t.Helper()
	root := t.TempDir()
	s := &site{t: t, dir: filepath.Join(root, "shop"), home: filepath.Join(root, "home"), output: &output{}}
	require.NoError(t, os.MkdirAll(s.dir, 0o755))
	require.NoError(t, os.MkdirAll(s.home, 0o755))
	s.git("init", "-q", "-b", "main")
	s.git("config", "user.name", "Ada")
	s.git("config", "user.email", "ada@example.org")
	s.ltm("init")
	if seed != nil {
		seed(s)
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeLimit)
	t.Cleanup(cancel)
	s.serve()
	s.ctx = browser(ctx, t, root)
	return s
}

// env is the environment of all programs: a home of their own, and nothing of the person who runs the tests.
func (s *site) env() []string {
	return []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + s.home, "TZ=UTC",
		"TMPDIR=" + os.TempDir(), "GIT_CONFIG_NOSYSTEM=1"}
}

func (s *site) git(args ...string) string { s.t.Helper(); return s.run("git", args...) }

// ltm runs the command line in the project.
func (s *site) ltm(args ...string) string {
	s.t.Helper()
	return s.run(filepath.Join(bin, "ltm"), args...)
}

func (s *site) run(name string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = s.dir, s.env()
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "%s %s: %s", name, strings.Join(args, " "), out)
	return strings.TrimSpace(string(out))
}

// remember stores a memory and returns its id.
func (s *site) remember(topic, content string, more ...string) string {
	s.t.Helper()
	out := s.ltm(append([]string{"remember", topic, content}, more...)...)
	id := regexp.MustCompile(`mem_[0-9a-f]{8}`).FindString(out)
	require.NotEmpty(s.t, id, out)
	return id
}

// printed finds the address among what "ltm ui" prints.
var printed = regexp.MustCompile(`http://(?:127\.0\.0\.1|localhost):\d+/\S*`)

// serve starts "ltm ui" and waits for its address.
func (s *site) serve(flags ...string) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(bin, "ltm"), append([]string{"ui", "--no-open"}, flags...)...)
	cmd.Dir, cmd.Env = s.dir, s.env()
	cmd.Stdout, cmd.Stderr = s.output, s.output
	require.NoError(s.t, cmd.Start())
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	s.server = cmd
	s.end = func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			s.t.Errorf("the page did not end within 10 s of a signal\n%s", s.output)
		}
	}
	s.t.Cleanup(s.end)
	require.Eventually(s.t, func() bool { return printed.MatchString(s.output.String()) }, 20*time.Second,
		20*time.Millisecond, "no address in what ltm ui prints: %s", s.output)
	s.address = printed.FindString(s.output.String())
}

// browser starts a browser of its own, which reaches loopback alone.
func browser(ctx context.Context, t *testing.T, dir string) context.Context {
	t.Helper()
	path, err := chromium()
	require.NoError(t, err)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.UserDataDir(filepath.Join(dir, "chromium")),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1"),
		chromedp.WindowSize(1280, 900))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium refuses to run as root with it
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx) // waits for the browser to end
		cancel()
	})
	require.NoError(t, chromedp.Do(ctx, chromedp.Navigate("about:blank")))
	return ctx
}

// at returns the address of a view.
func (s *site) at(view string) string {
	base := s.address[:strings.Index(s.address[len("http://"):], "/")+len("http://")]
	return base + "/" + strings.TrimPrefix(view, "/")
}
