package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"ltm/server/sqlstore"
)

// healthcheckCommand asks the server on this machine, for images that have no other program.
func (a *app) healthcheckCommand() *cobra.Command {
	c := &cobra.Command{Use: "healthcheck", Args: arguments(0)}
	wait := c.Flags().Duration("wait", 0, "how long to ask again until the answer is yes, such as after a start")
	c.RunE = func(c *cobra.Command, _ []string) error {
		ctx, cancel := context.WithTimeout(c.Context(), max(*wait, healthTime))
		defer cancel()
		begun := a.now()
		for {
			err := a.healthcheck(ctx)
			if err == nil {
				return a.println("ready")
			}
			if a.now().Sub(begun) >= *wait || sqlstore.Pause(ctx, healthPause) != nil {
				return err
			}
		}
	}
	a.options.registerAddress(c.Flags())
	a.options.registerCertificate(c.Flags())
	c.Flags().Lookup("addr").Usage = "where the server listens, `HOST:PORT`"
	c.Flags().Lookup("tls-cert").Usage = "the server's certificate `FILE`; with it, https is used"
	return c
}

const (
	healthTime  = 5 * time.Second // how long a server may take to answer
	healthPause = 50 * time.Millisecond
)

func (a *app) healthcheck(ctx context.Context) error {
	url := a.readyURL()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{DisableKeepAlives: true}
	// The certificate is for the name by which others know the server, not for this address, and
	// nothing secret is sent.
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		return &fault{status: exitFailure, message: "the server does not answer", cause: err,
			next: "\"ltm-server serve\" starts it; --addr or LTM_SERVER_ADDR names another address"}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return &fault{status: exitFailure, message: fmt.Sprintf("%s answered %s", url, response.Status)}
	}
	return nil
}

// readyURL returns where the local server says that it is ready.
func (a *app) readyURL() string {
	host, port, _ := net.SplitHostPort(a.options.addr) // was checked
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		if ip != nil && ip.To4() == nil {
			host = "::1"
		}
	}
	scheme := "http"
	if a.options.tlsCert != "" {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, port) + "/readyz"
}
