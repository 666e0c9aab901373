package page_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/server/page"
)

// streaming is a server of a site with a browser that is inside, and one that is not.
type streaming struct {
	t      *testing.T
	site   *page.Site
	server *httptest.Server
	inside *http.Client
}

func newStreaming(t *testing.T, f *fixture) *streaming {
	t.Helper()
	site, _ := newSite(t, f)
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	t.Cleanup(site.EndStreams)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	s := &streaming{t: t, site: site, server: server, inside: &http.Client{Jar: jar}}
	at, err := url.Parse(server.URL)
	require.NoError(t, err)
	jar.SetCookies(at, []*http.Cookie{enter(t, site).cookie})
	return s
}

// open asks for a stream, which ends with the test at the latest.
func (s *streaming) open(client *http.Client) (answer *http.Response, end func()) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	s.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.server.URL+"/events", nil)
	require.NoError(s.t, err)
	answer, err = client.Do(r)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = answer.Body.Close() })
	return answer, cancel
}

// next returns the next line of a stream that says something.
func next(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	for lines.Scan() {
		if line := lines.Text(); line != "" && line != ":" {
			return line
		}
	}
	t.Fatalf("the stream has ended: %v", lines.Err())
	return ""
}

func TestAStreamTellsOfChanges(t *testing.T) {
	f := someMemories()
	var log, later atomic.Pointer[[]memory.Event]
	log.Store(&[]memory.Event{{Time: time.Unix(1, 0), Action: "stored", Topic: "Something old"}})
	f.events = func() []memory.Event {
		now := log.Load()
		if then := later.Swap(nil); then != nil {
			log.Store(then)
		}
		return *now
	}
	s := newStreaming(t, f)
	v := visitor{t: t, site: s.site, cookie: enter(t, s.site).cookie}
	first, err := strconv.Atoi(between(t, v.get("/").Body.String(), `data-version="`, `"`))
	require.NoError(t, err)
	require.Greater(t, first, int(time.Now().Add(-time.Hour).UnixMilli()), "later than any of an earlier run")
	answer, _ := s.open(s.inside)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Equal(t, "text/event-stream", answer.Header.Get("Content-Type"))
	lines := bufio.NewScanner(answer.Body)
	require.Equal(t, fmt.Sprintf(`data: {"version":%d}`, first), next(t, lines))
	f.stamp.Add(1)
	require.Equal(t, fmt.Sprintf(`data: {"version":%d}`, first+1), next(t, lines))
	require.Contains(t, v.get("/").Body.String(), fmt.Sprintf(`data-version="%d"`, first+1))
	log.Store(&[]memory.Event{{Time: time.Unix(2, 0), Action: memory.ActionStored, ID: "mem_00000002",
		Topic: "Two\nlines", Session: 12}})
	f.stamp.Add(1)
	require.Equal(t, fmt.Sprintf(`data: {"version":%d,"what":"`, first+2)+memory.ActionStored+
		`: Two lines, in session 12","address":"memory/mem_00000002"}`, next(t, lines))
	// a log that is written after the files were seen, as another process may be between the two
	later.Store(&[]memory.Event{{Time: time.Unix(3, 0), Action: memory.ActionUpdated, ID: "mem_00000003",
		Topic: "Late"}})
	f.stamp.Add(1)
	require.Equal(t, fmt.Sprintf(`data: {"version":%d,"what":"`, first+3)+memory.ActionUpdated+
		`: Late","address":"memory/mem_00000003"}`, next(t, lines))
	// logs have seconds: two changes can have the same one
	log.Store(&[]memory.Event{{Time: time.Unix(3, 0), Action: memory.ActionUpdated, ID: "mem_00000004", Topic: "Next"}})
	f.stamp.Add(1)
	require.Equal(t, fmt.Sprintf(`data: {"version":%d,"what":"`, first+4)+memory.ActionUpdated+
		`: Next","address":"memory/mem_00000004"}`, next(t, lines))
	s.site.EndStreams()
	for lines.Scan() { // to its end
		require.Empty(t, lines.Text())
	}
	require.NoError(t, lines.Err())
}

// TestAGuestGetsNoStream asks without the session, from another site's page, and under another name.
func TestAGuestGetsNoStream(t *testing.T) {
	s := newStreaming(t, someMemories())
	answer, _ := s.open(&http.Client{})
	require.Equal(t, http.StatusForbidden, answer.StatusCode)
	require.NotContains(t, answer.Header.Get("Content-Type"), "event-stream")
	v := visitor{t: t, site: s.site, cookie: enter(t, s.site).cookie}
	other := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
	for status, headers := range map[int]map[string]string{
		http.StatusForbidden:          other,
		http.StatusMisdirectedRequest: {"Host": "evil.example"},
	} {
		refused := v.ask(http.MethodGet, "/events", headers)
		require.Equal(t, status, refused.Code)
		require.NotContains(t, refused.Body.String(), "version")
	}
	require.Empty(t, v.ask(http.MethodHead, "/events", nil).Body.String(), "and it ends")
}

// TestStreamsAreBounded opens one more than is let in, until another one is closed.
func TestStreamsAreBounded(t *testing.T) {
	s := newStreaming(t, someMemories())
	var end func()
	for range 16 {
		var answer *http.Response
		answer, end = s.open(s.inside)
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	answer, _ := s.open(s.inside)
	require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	end()
	require.Eventually(t, func() bool {
		answer, _ := s.open(s.inside)
		return answer.StatusCode == http.StatusOK
	}, 20*time.Second, 50*time.Millisecond)
}

// TestAStreamIsNoVisitor has the idle time go on while a stream is open.
func TestAStreamIsNoVisitor(t *testing.T) {
	s := newStreaming(t, someMemories())
	answer, _ := s.open(s.inside)
	require.True(t, strings.HasPrefix(next(t, bufio.NewScanner(answer.Body)), "data:"))
	require.Eventually(t, func() bool { return s.site.Idle() >= 2*time.Millisecond }, 10*time.Second, time.Millisecond)
}
