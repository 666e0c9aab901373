package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/packet/client"
)

const authorized = `{"device_code":"a-device-code","user_code":"ABCD-EFGH","interval":2,"expires_in":600,
	"verification_uri":"https://ltm.example.org/device",
	"verification_uri_complete":"https://ltm.example.org/device?code=ABCD-EFGH"}`

// devices answers the device flow: words in turn, then a token.
func devices(t *testing.T, inBand bool, words ...string) *client.Client {
	polls := 0
	return caller(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		form, err := url.ParseQuery(string(body))
		require.NoError(t, err)
		require.Equal(t, "application/x-www-form-urlencoded", r.Header.Get("Content-Type"))
		require.Equal(t, "ltm-cli", form.Get("client_id"))
		require.Empty(t, r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/oauth/authorize_device" {
			_, _ = io.WriteString(w, authorized)
			return
		}
		require.Equal(t, "/oauth/token", r.URL.Path)
		require.Equal(t, "urn:ietf:params:oauth:grant-type:device_code", form.Get("grant_type"))
		require.Equal(t, "a-device-code", form.Get("device_code"))
		if polls++; polls > len(words) {
			_, _ = io.WriteString(w, `{"access_token":"the-token-of-it"}`)
			return
		}
		if !inBand {
			w.WriteHeader(http.StatusBadRequest)
		}
		fmt.Fprintf(w, `{"error":%q}`, words[polls-1])
	}), "")
}

func TestDeviceFlow(t *testing.T) {
	const pending, slower = "authorization_pending", "slow_down"
	for _, tt := range []struct {
		name  string
		words []string
		waits []time.Duration // in seconds
		kind  memory.Kind
	}{
		{"at once", nil, []time.Duration{2}, ""},
		{"after a while", []string{pending, pending}, []time.Duration{2, 2, 2}, ""},
		{"slower", []string{slower, pending, slower}, []time.Duration{2, 7, 7, 12}, ""},
		{"denied", []string{pending, "access_denied"}, []time.Duration{2, 2}, memory.KindDeviceDenied},
		{"expired", []string{"expired_token"}, []time.Duration{2}, memory.KindDeviceExpired},
		{"unknown", []string{"invalid_grant"}, []time.Duration{2}, memory.KindRemoteRefused},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := devices(t, false, tt.words...)
			d, err := c.Authorize(context.Background())
			require.NoError(t, err)
			require.Equal(t, []any{"ABCD-EFGH", 10 * time.Minute}, []any{d.UserCode, d.Life})
			var waits []time.Duration
			got, err := c.Token(context.Background(), d, func(_ context.Context, wait time.Duration) error {
				waits = append(waits, wait/time.Second)
				return nil
			})
			require.Equal(t, tt.kind, memory.KindOf(err), "%v", err)
			require.Equal(t, tt.waits, waits)
			require.Equal(t, tt.kind == "", got == "the-token-of-it")
		})
	}
}

// TestDeviceFlowEnds waits as long as the server said, and no longer; and answers with status 200.
func TestDeviceFlowEnds(t *testing.T) {
	words := make([]string, 400)
	for i := range words {
		words[i] = "authorization_pending"
	}
	c := devices(t, true, words...)
	d, err := c.Authorize(context.Background())
	require.NoError(t, err)
	waited := time.Duration(0)
	_, err = c.Token(context.Background(), d, func(_ context.Context, wait time.Duration) error {
		waited += wait
		return nil
	})
	require.Equal(t, memory.KindDeviceExpired, memory.KindOf(err))
	require.Equal(t, 10*time.Minute, waited)
	_, err = c.Token(context.Background(), d, func(context.Context, time.Duration) error { return context.Canceled })
	require.ErrorIs(t, err, context.Canceled)
}

func TestDeviceAnswers(t *testing.T) {
	for _, body := range []string{`{}`, `{"device_code":"a-device-code","user_code":"AB CD","verification_uri":"https://a"}`,
		`{"device_code":"a-device-code","user_code":"\u001b[2JABCD","verification_uri":"https://a"}`,
		`{"device_code":"a-device-code","user_code":"ABCD","verification_uri":"javascript:alert(1)"}`,
		`{"device_code":"a-device-code","user_code":"ABCD","verification_uri":"https://a/\u001b[2J"}`,
		`{"device_code":"a-device-code","user_code":"ABCD","verification_uri":"https://bank.example@evil.example"}`,
		`{"device_code":"short","user_code":"ABCD","verification_uri":"https://a"}`} {
		_, err := caller(t, answering(t, 200, nil, body), "").Authorize(context.Background())
		require.Equal(t, memory.KindRemoteAnswer, memory.KindOf(err), body)
	}
	d, err := caller(t, answering(t, 200, nil, `{"device_code":"a-device-code","user_code":"ABCD","interval":-1,
		"verification_uri":"https://a","expires_in":99999999999,"verification_uri_complete":"data:x"}`), "").
		Authorize(context.Background())
	require.NoError(t, err)
	require.Equal(t, []any{time.Hour, ""}, []any{d.Life, d.Complete})
}
