package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/engine/locate"
	"ltm/memory/api"
)

// opened is a page that runs, as a process of its own.
type opened struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     *http.Client // a browser with cookies
	link   *url.URL     // the address that was printed
	stdout *bufio.Reader
	stderr *strings.Builder
}

// openPage starts a page in a project.
func openPage(t *testing.T, project string, env []string, args ...string) *opened {
	t.Helper()
	p := &opened{t: t, cmd: uiProcess(project, env, args...), stderr: &strings.Builder{}}
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.stdout = bufio.NewReader(out)
	first, err := p.stdout.ReadString('\n')
	require.NoError(t, err, p.stderr)
	p.link, err = url.Parse(strings.TrimSpace(first))
	require.NoError(t, err)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	p.in = &http.Client{Jar: jar, Timeout: time.Minute}
	return p
}

// uiProcess is ltm-server ui in a project, with an environment that names no display.
func uiProcess(project string, env []string, args ...string) *exec.Cmd {
	cmd := exec.Command("ltm-server", append([]string{"ui"}, args...)...)
	cmd.Dir = project
	cmd.Env = append(os.Environ(), "CLAUDE_PROJECT_DIR=", "LTM_DIR=", "DISPLAY=", "WAYLAND_DISPLAY=", "SSH_CONNECTION=",
		"CLAUDECODE=", "BROWSER=", "HOME="+filepath.Join(project, "home"),
		"LTM_USER_DIR="+filepath.Join(project, "person"), cacheIn(project))
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// heedHangup has processes that the test starts end with SIGHUP. Under nohup they would inherit that it is ignored.
func heedHangup(t *testing.T) {
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(hangup) })
}

func (p *opened) get(path string) (int, string) {
	p.t.Helper()
	answer, err := p.in.Get(p.link.Scheme + "://" + p.link.Host + path)
	require.NoError(p.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	return answer.StatusCode, string(body)
}

// ended waits for the end of the process.
func (p *opened) ended() {
	p.t.Helper()
	late := time.AfterFunc(30*time.Second, func() { _ = p.cmd.Process.Kill() })
	require.NoError(p.t, p.cmd.Wait(), p.stderr)
	require.True(p.t, late.Stop())
}

// somewhere returns a project with a repository and a store of three memories.
func somewhere(t *testing.T) string {
	t.Helper()
	project, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	git := exec.Command("git", "init", "--quiet", project)
	require.NoError(t, git.Run())
	fill(t, project, 3)
	places := locate.Places(filepath.Join(project, ".claude", "ltm"), "")
	require.NoError(t, os.MkdirAll(places.Clone, 0o755))
	return project
}

func TestTheLocalPage(t *testing.T) {
	project := somewhere(t)
	p := openPage(t, project, nil)
	require.Regexp(t, `^http://(127\.0\.0\.1|\[::1\]):\d+/enter\?token=[\w-]{43}$`, p.link.String())
	second, err := p.stdout.ReadString('\n')
	require.NoError(t, err)
	port := p.link.Port()
	require.Contains(t, second, "ssh -N -L "+port+":"+p.link.Hostname()+":"+port+" ")

	status, _ := p.get("/")
	require.Equal(t, http.StatusForbidden, status)
	status, _ = p.get(p.link.RequestURI())
	require.Equal(t, http.StatusOK, status)
	status, page := p.get("/")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, page, "Topic number 2 about component 2")
	require.Contains(t, page, "&lt;ltm-memory&gt;")
	for _, address := range []string{"/memories", "/memories?q=component+1&explain=1", "/memories?include=all&sort=age",
		"/memory/mem_f0000001", "/memory/mem_f0000001/file", "/?budget=200&whole=40&profile=classic&style=compact",
		"/?budget=2700&whole=0"} {
		status, page = p.get(address)
		require.Equal(t, http.StatusOK, status, page)
	}
	status, _ = p.get("/?budget=2701")
	require.Equal(t, http.StatusUnprocessableEntity, status, "the sliders end where the setting does")

	answer, err := p.in.Post(p.link.Scheme+"://"+p.link.Host+"/stop", "application/x-www-form-urlencoded", nil)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusForbidden, answer.StatusCode, "a page says so when it sends a form")
	r, err := http.NewRequest(http.MethodPost, p.link.Scheme+"://"+p.link.Host+"/stop", nil)
	require.NoError(t, err)
	r.Header.Set("Origin", p.link.Scheme+"://"+p.link.Host)
	_, _ = p.in.Do(r) // its end may be faster than its answer
	p.ended()
}

// TestASecondPageShowsTheFirst gets a new address of the page that runs, and starts one when it has been killed.
func TestASecondPageShowsTheFirst(t *testing.T) {
	project := somewhere(t)
	p := openPage(t, project, nil)
	file := noteIn(t, project)
	info, err := os.Stat(file)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}

	again, said := uiProcess(project, nil, "--idle", "2h"), &strings.Builder{}
	again.Stderr = said
	out, err := again.Output()
	require.NoError(t, err)
	require.Contains(t, said.String(), "without --idle")
	link, err := url.Parse(strings.SplitN(string(out), "\n", 2)[0])
	require.NoError(t, err)
	require.Equal(t, p.link.Host, link.Host)
	require.NotEqual(t, p.link.Query(), link.Query())
	for _, l := range []*url.URL{link, p.link} {
		status, page := p.get(l.RequestURI())
		require.Equal(t, http.StatusOK, status, page)
	}

	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	require.FileExists(t, file)
	next := openPage(t, project, nil)
	require.NotEqual(t, p.cmd.Process.Pid, next.cmd.Process.Pid)
	status, _ := next.get(next.link.RequestURI())
	require.Equal(t, http.StatusOK, status)
}

// noteIn returns the one file of a page that runs with the home of a project.
func noteIn(t *testing.T, project string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(project, "home", "Library", "Caches", "ltm", "pages", "*.json"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

// TestAProjectWithoutAStoreHasOnePage, and keeps it when the store is made.
func TestAProjectWithoutAStoreHasOnePage(t *testing.T) {
	project, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := openPage(t, project, nil)
	require.Equal(t, p.link.Host, openPage(t, project, nil).link.Host)
	fill(t, project, 1)
	require.Equal(t, p.link.Host, openPage(t, project, nil).link.Host)
}

// TestEachWorkTreeHasAPage of its own: they have other memories, and what is changed in one is not in the other.
func TestEachWorkTreeHasAPage(t *testing.T) {
	project := somewhere(t)
	for _, args := range [][]string{{"add", ".claude"},
		{"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "x"},
		{"worktree", "add", "--quiet", filepath.Join(project, "side")}} {
		require.NoError(t, exec.Command("git", append([]string{"-C", project}, args...)...).Run(), args)
	}
	home := "HOME=" + filepath.Join(project, "home")
	one := openPage(t, project, []string{home})
	two := openPage(t, filepath.Join(project, "side"), []string{home, cacheIn(project)})
	require.NotEqual(t, one.link.Host, two.link.Host)
}

// cacheIn is the setting by which a page has its cache in the home of a project, as [os.UserCacheDir] finds it.
func cacheIn(project string) string {
	cache := filepath.Join(project, "home", "Library", "Caches") // where Darwin has it
	if runtime.GOOS == "windows" {
		return "LOCALAPPDATA=" + cache
	}
	return "XDG_CACHE_HOME=" + cache
}

// TestTwoProjectsAtOnce have a page each, and a browser that visits both.
func TestTwoProjectsAtOnce(t *testing.T) {
	one, two := openPage(t, somewhere(t), nil), openPage(t, somewhere(t), nil)
	require.NotEqual(t, one.link.Host, two.link.Host)
	two.in = one.in
	for _, p := range []*opened{one, two, one, two} {
		p.get(p.link.RequestURI())
		status, _ := p.get("/memories")
		require.Equal(t, http.StatusOK, status)
	}
}

// TestAPageEndsWithoutVisitors counts from the last one.
func TestAPageEndsWithoutVisitors(t *testing.T) {
	p := openPage(t, somewhere(t), nil, "--idle", "300ms")
	p.ended()
	require.Contains(t, p.stderr.String(), "no visitor for 300ms")
}

// TestWhoHoldsThePortOfAPageThatWasKilled learns no secret, and has nothing printed.
func TestWhoHoldsThePortOfAPageThatWasKilled(t *testing.T) {
	var heard bytes.Buffer
	control := strings.Repeat("s", 43)
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.Write(&heard)
		w.Header().Set("Authentication-Info", r.Header.Get("Authorization")) // nor by what it was told
		_, _ = io.WriteString(w, "enter?token="+strings.Repeat("x", 43))
	})}
	l, err := listenLocally(context.Background(), 0)
	require.NoError(t, err)
	go func() { _ = server.Serve(l) }()
	defer server.Close()
	for _, address := range []string{"http://" + l.Addr().String() + "/", "http://evil.example/", "file:///etc/passwd",
		"https://127.0.0.1/", "http://localhost.evil.example/", "http://127.0.0.1@evil.example/", ":", ""} {
		n := note{dir: t.TempDir(), name: "a.json"}
		data, err := json.Marshal(instance{Version: 1, Address: address, Control: control})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(n.dir, n.name), data, 0o600))
		_, link := n.find(context.Background())
		require.Empty(t, link, address)
	}
	require.NotEmpty(t, heard.String(), "the first one answers")
	require.NotContains(t, heard.String(), control)
}

// TestABrowserIsOpenedByAFile has a browser that writes down what it was given.
func TestABrowserIsOpenedByAFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the browser of this test is a shell script")
	}
	const address = "http://127.0.0.1:5861/enter?token=secret"
	for name, form := range map[string]string{"alone": "%", "with an argument": "% -new", "with a place": "% %s -x",
		"the second one": "/does/not/exist:%"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("TMPDIR", dir)
			script := filepath.Join(dir, "browser")
			if name == "alone" {
				script = filepath.Join(dir, "a browser")
			}
			require.NoError(t, os.WriteFile(script, []byte(`#!/bin/sh
cd "$(dirname "$0")"
echo "$@" > args
for f; do case $f in file://*) f=${f#file://}; ls -l "$f" > mode; cat "$f" > new; mv new seen;; esac; done
`), 0o700))
			browser := strings.ReplaceAll(form, "%s", "\x00")
			browser = strings.ReplaceAll(strings.ReplaceAll(browser, "%", script), "\x00", "%s")
			a := &app{getenv: func(name string) string { return map[string]string{"BROWSER": browser}[name] }}
			clean, started := a.openByFile(t.Context(), address)
			require.True(t, started)
			require.Eventually(t, func() bool { return fileExists(filepath.Join(dir, "seen")) }, 30*time.Second,
				10*time.Millisecond)
			read := func(name string) string {
				data, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				return string(data)
			}
			require.Contains(t, read("seen"), `content="0;url=`+address+`"`)
			require.NotContains(t, read("args"), "secret")
			require.True(t, strings.HasPrefix(read("mode"), "-rw------- "), read("mode"))
			clean()
			left, err := filepath.Glob(filepath.Join(dir, "ltm-ui-*"))
			require.NoError(t, err)
			require.Empty(t, left, "the file is removed")
		})
	}
}

// TestWhereABrowserFindsTheFile is where a snap can read it, if there are snaps.
func TestWhereABrowserFindsTheFile(t *testing.T) {
	snaps, home, none := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "none")
	require.Equal(t, home, redirectParent(snaps, home))
	require.Empty(t, redirectParent(none, home))
	require.Empty(t, redirectParent(snaps, none))
	require.Empty(t, redirectParent(snaps, ""))
	require.Empty(t, redirectParent(snaps, "."), "a browser would not find it")
}

// TestTheFileStaysUntilTheLinkIsUsed, as a browser that has to start takes long.
func TestTheFileStaysUntilTheLinkIsUsed(t *testing.T) {
	p, a := openPage(t, somewhere(t), nil), &app{}
	waiting, ended := make(chan struct{}), make(chan struct{})
	go func() {
		close(waiting)
		a.awaitVisit(t.Context(), p.link.String())
		close(ended)
	}()
	<-waiting
	head, err := http.Head(p.link.String())
	require.NoError(t, err)
	require.NoError(t, head.Body.Close())
	require.Equal(t, http.StatusOK, head.StatusCode, "waiting does not use it")
	select {
	case <-ended:
		t.Fatal("it was not used yet")
	default:
	}
	p.get(p.link.RequestURI())
	select {
	case <-ended:
	case <-time.After(redirectLife - time.Second):
		t.Fatal("it was used")
	}
	a.awaitVisit(t.Context(), "http://127.0.0.1:1/enter?token=x") // nothing listens there
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// TestWhereNoBrowserIsOpened asks in every environment without one.
func TestWhereNoBrowserIsOpened(t *testing.T) {
	for name, env := range map[string]map[string]string{
		"ssh": {"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}, "terminal over ssh": {"SSH_TTY": "/dev/pts/1"},
		"wsl": {"WSL_DISTRO_NAME": "Debian"}, "container": {"container": "podman"},
		"codespaces": {"CODESPACES": "true"},
		"claude":     {"CLAUDECODE": "1"},
	} {
		env["DISPLAY"] = ":0"
		a := &app{getenv: func(name string) string { return env[name] }}
		require.NotEmpty(t, a.noBrowser(), name)
	}
	if runtime.GOOS == "linux" {
		require.NotEmpty(t, (&app{getenv: func(string) string { return "" }}).noBrowser())
	}
}

func TestTheLineForSSH(t *testing.T) {
	forward := func(ssh string) string {
		env := map[string]string{"SSH_CONNECTION": ssh, "USER": "mira"}
		return (&app{getenv: func(name string) string { return env[name] }}).forward("http://127.0.0.1:5861/")
	}
	require.Equal(t, "ssh -N -L 5861:127.0.0.1:5861 mira@10.0.0.2", forward("10.0.0.1 50000 10.0.0.2 22"))
	require.Equal(t, "ssh -N -L 5861:127.0.0.1:5861 -p 2222 mira@10.0.0.2", forward("10.0.0.1 50000 10.0.0.2 2222"))
	require.Regexp(t, `^ssh -N -L 5861:127\.0\.0\.1:5861 mira@\S+$`, forward(""))
}

// TestAProjectWithoutAStoreIsLeftAlone opens a page that teaches, and writes nothing.
func TestAProjectWithoutAStoreIsLeftAlone(t *testing.T) {
	project, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	home := t.TempDir()
	p := openPage(t, project, []string{"HOME=" + home, cacheIn(home)})
	p.get(p.link.RequestURI())
	for _, path := range []string{"/", "/memories", "/memories?q=x"} {
		status, page := p.get(path)
		require.Equal(t, http.StatusOK, status, page)
	}
	_, page := p.get("/")
	require.Contains(t, page, "Nothing to show yet")
	left, err := os.ReadDir(project)
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestAPageEndsWithItsTerminal, unless it was started to outlive it.
func TestAPageEndsWithItsTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGHUP")
	}
	heedHangup(t)
	for _, end := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		project := somewhere(t)
		p := openPage(t, project, nil)
		file := noteIn(t, project)
		require.NoError(t, p.cmd.Process.Signal(end))
		p.ended()
		require.NoFileExists(t, file, "%v", end)
	}
}

// TestAnArchivedMemoryHasAFile on the page and in an export.
func TestAnArchivedMemoryHasAFile(t *testing.T) {
	project := somewhere(t)
	a := &app{stdout: io.Discard, stderr: io.Discard, getenv: func(name string) string {
		return map[string]string{"CLAUDE_PROJECT_DIR": project, "HOME": t.TempDir()}[name]
	}}
	store, err := a.siteOptions(uiOptions{}, locate.Store(a.uiEnv(uiOptions{}).Where()), nil).Changer(api.ScopeProject)
	require.NoError(t, err)
	_, err = store.ForgetAll(t.Context(), []string{"mem_f0000001"})
	require.NoError(t, err)
	v := openSite(t, project, filepath.Join(project, "person"))
	answer := v.get("/memory/mem_f0000001/file")
	require.Equal(t, http.StatusOK, answer.Code)
	require.Contains(t, answer.Body.String(), `topic: "Topic number 1 about component 1"`)
	require.Contains(t, answer.Body.String(), "Detail 1 of the component.")
	require.Equal(t, http.StatusNotFound, v.get("/memory/mem_f0000009/file").Code)
}

// TestPagesAreExported to a new directory, and to no other.
func TestPagesAreExported(t *testing.T) {
	project := somewhere(t)
	dir := filepath.Join(t.TempDir(), "new", "pages")
	out, err := uiProcess(project, nil, "--export", dir).Output()
	require.NoError(t, err)
	require.Regexp(t, `^wrote \d+ files\n`, string(out))
	require.Contains(t, string(out), filepath.Join(dir, "index.html"))
	for _, name := range []string{"index.html", "memories.html", "memory-1.html"} {
		require.FileExists(t, filepath.Join(dir, name))
	}
	page, err := os.ReadFile(filepath.Join(dir, "memories.html"))
	require.NoError(t, err)
	require.Contains(t, string(page), `href="./memory-1.html#mem_f0000001"`)

	again, err := uiProcess(project, nil, "--export", dir).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(again), "is not empty")
	left, err := os.ReadFile(filepath.Join(dir, "memories.html"))
	require.NoError(t, err)
	require.Equal(t, page, left)
}
