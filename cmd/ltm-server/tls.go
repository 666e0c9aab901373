package main

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// certificate is a certificate and its key in two files, which are read again when they change.
type certificate struct {
	cert, key string
	failed    func(error) // is told once of each change that cannot be used

	mu     sync.Mutex
	loaded *tls.Certificate
	seen   [2]stamp
}

// stamp tells versions of a file apart.
type stamp struct {
	time time.Time
	size int64
}

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{info.ModTime(), info.Size()}
}

// openCertificate reads a certificate for the first time.
func openCertificate(cert, key string, failed func(error)) (*certificate, error) {
	c := &certificate{cert: cert, key: key, failed: failed}
	if err := c.reload(); err != nil {
		return nil, err
	}
	return c, nil
}

// reload reads the files. If they cannot be used, the certificate stays what it was.
func (c *certificate) reload() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.load([2]stamp{stampOf(c.cert), stampOf(c.key)})
}

func (c *certificate) load(now [2]stamp) error {
	c.seen = now // what cannot be used now is tried again when it changes
	pair, err := tls.LoadX509KeyPair(c.cert, c.key)
	if err != nil {
		return err
	}
	c.loaded = &pair
	return nil
}

// get returns the certificate for a connection.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := [2]stamp{stampOf(c.cert), stampOf(c.key)}; now != c.seen {
		if err := c.load(now); err != nil {
			c.failed(err)
		}
	}
	return c.loaded, nil
}

// config returns the settings of TLS.
func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get, NextProtos: []string{"h2", "http/1.1"}}
}
