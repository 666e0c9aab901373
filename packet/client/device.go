package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"ltm/memory"
)

// Names of the device flow (RFC 8628).
const (
	clientID    = "ltm-cli"
	deviceScope = "read write"
	deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
)

// Bounds of what a server may ask for.
const (
	usualInterval = 5 * time.Second
	mostInterval  = time.Minute
	slowerBy      = 5 * time.Second
	usualLife     = 5 * time.Minute
	mostLife      = time.Hour
)

// Device is a request to be let in, which a person approves elsewhere.
type Device struct {
	UserCode string        // what the person types
	Page     string        // the address to type it at; http or https
	Complete string        // the same with the code in it; "" if the server sent none
	Life     time.Duration // how long the person has
	interval time.Duration
	code     string
}

// Authorize begins the device flow.
func (c *Client) Authorize(ctx context.Context) (Device, error) {
	got, err := c.do(ctx, c.oauth("authorize_device", url.Values{"client_id": {clientID}, "scope": {deviceScope}}))
	if err != nil {
		return Device{}, err
	}
	var d struct {
		DeviceCode string `json:"device_code"`
		UserCode   string `json:"user_code"`
		Page       string `json:"verification_uri"`
		Complete   string `json:"verification_uri_complete"`
		ExpiresIn  int64  `json:"expires_in"`
		Interval   int64  `json:"interval"`
	}
	if err := c.decode(got.body, &d); err != nil {
		return Device{}, err
	}
	if CheckToken(d.DeviceCode) != nil || !isUserCode(d.UserCode) || !isWebPage(d.Page) {
		return Device{}, c.odd("it has no code, or no page to type it at")
	}
	if !isWebPage(d.Complete) {
		d.Complete = ""
	}
	return Device{UserCode: d.UserCode, Page: d.Page, Complete: d.Complete, code: d.DeviceCode,
		Life:     bounded(d.ExpiresIn, usualLife, mostLife),
		interval: bounded(d.Interval, usualInterval, mostInterval)}, nil
}

// bounded returns seconds as a duration: from a second to most, and usual if seconds is 0.
func bounded(seconds int64, usual, most time.Duration) time.Duration {
	if seconds <= 0 {
		return usual
	}
	return time.Duration(min(seconds, int64(most/time.Second))) * time.Second
}

func (c *Client) oauth(route string, form url.Values) request {
	return request{method: http.MethodPost, url: c.o.Host.String() + "/oauth/" + route, form: true, open: true,
		body: []byte(form.Encode())}
}

// isUserCode reports whether a person can type a code.
func isUserCode(s string) bool {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
	return len(s) >= 4 && len(s) <= 40 && strings.Trim(s, letters) == ""
}

// isWebPage reports whether a text is the address of a page, in ASCII without blanks.
func isWebPage(s string) bool {
	if CheckToken(s) != nil {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" && u.User == nil
}

// errWait means that the person did not answer yet.
var errWait = errors.New("not approved yet")

// Token waits until a person approves the request, and returns the token. sleep waits, and returns
// the context's error if that ends.
func (c *Client) Token(ctx context.Context, d Device, sleep func(context.Context, time.Duration) error) (string,
	error) {
	interval := d.interval
	for waited := time.Duration(0); waited < d.Life; waited += interval {
		if err := sleep(ctx, interval); err != nil {
			return "", err
		}
		token, slower, err := c.poll(ctx, d)
		if slower {
			interval = min(interval+slowerBy, mostInterval)
		}
		if !errors.Is(err, errWait) {
			return token, err
		}
	}
	return "", c.deviceExpired()
}

func (c *Client) deviceExpired() error {
	return memory.NewError(memory.CodeDenied, memory.KindDeviceExpired, c.o.Host.String(),
		"the request was not approved in time")
}

// poll asks once for the token.
func (c *Client) poll(ctx context.Context, d Device) (token string, slower bool, err error) {
	got, err := c.do(ctx, c.oauth("token", url.Values{"grant_type": {deviceGrant}, "device_code": {d.code},
		"client_id": {clientID}}))
	var answer struct {
		Token string `json:"access_token"`
		Error string `json:"error"`
	}
	if refused := RefusalOf(err); refused != nil {
		answer.Error = refused.word
	} else if err == nil {
		err = c.decode(got.body, &answer)
	}
	switch answer.Error {
	case "authorization_pending":
		return "", false, errWait
	case "slow_down":
		return "", true, errWait
	case "access_denied":
		return "", false, memory.NewError(memory.CodeDenied, memory.KindDeviceDenied, c.o.Host.String(),
			"the request was denied")
	case "expired_token":
		return "", false, c.deviceExpired()
	}
	if err == nil && CheckToken(answer.Token) != nil {
		err = c.odd("it has no token")
	}
	return answer.Token, false, err
}
