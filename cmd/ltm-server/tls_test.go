package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// writeCertificate makes a certificate for a name and puts it and its key into two files, with a time
// of change of its own.
func writeCertificate(t *testing.T, cert, key, name string, changed time.Time) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(changed.Unix()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{name}}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	require.NoError(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		require.NoError(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
		require.NoError(t, os.Chtimes(path, changed, changed))
	}
}

// nameIn returns the name in the certificate that connections get.
func nameIn(t *testing.T, c *certificate) string {
	t.Helper()
	pair, err := c.config().GetCertificate(nil)
	require.NoError(t, err)
	return pair.Leaf.Subject.CommonName
}

// TestCertificateIsReadAgain changes the files under a running server.
func TestCertificateIsReadAgain(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	begin := time.Now().Add(-time.Hour).Truncate(time.Second)
	var failures []error
	told := func(err error) { failures = append(failures, err) }

	_, err := openCertificate(cert, key, told)
	require.ErrorIs(t, err, os.ErrNotExist)
	writeCertificate(t, cert, key, "old.example.org", begin)
	c, err := openCertificate(cert, key, told)
	require.NoError(t, err)
	require.Equal(t, "old.example.org", nameIn(t, c))

	writeCertificate(t, cert, key, "new.example.org", begin.Add(time.Second))
	require.Equal(t, "new.example.org", nameIn(t, c))
	require.Empty(t, failures)

	// the half of a change is not used, and is told once
	require.NoError(t, os.WriteFile(cert, []byte("-----BEGIN"), 0o600))
	require.Equal(t, "new.example.org", nameIn(t, c))
	require.Equal(t, "new.example.org", nameIn(t, c))
	require.Len(t, failures, 1)
	require.Error(t, c.reload(), "SIGHUP says so again")

	require.NoError(t, os.Remove(key))
	require.Equal(t, "new.example.org", nameIn(t, c))
	writeCertificate(t, cert, key, "third.example.org", begin.Add(2*time.Second))
	require.NoError(t, c.reload())
	require.Equal(t, "third.example.org", nameIn(t, c))
}
