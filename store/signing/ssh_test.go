package signing_test

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"ltm/memory"
	"ltm/store/signing"
)

// read returns a file that ssh-keygen wrote: keys without passphrases that were made for these tests
// and thrown away, and their signatures of the example.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "ssh", name))
	require.NoError(t, err)
	return strings.TrimSpace(string(text))
}

func sshSigned(t *testing.T, name string) memory.Memory {
	t.Helper()
	m := example()
	var err error
	m.Signature, err = signing.FromSSH([]byte(read(t, name+".sig")), here)
	require.NoError(t, err)
	require.True(t, memory.IsSignature(m.Signature))
	return m
}

func TestSSHSignatures(t *testing.T) {
	for _, name := range []string{"ed25519", "rsa3072", "ecdsa256", "ecdsa384", "ecdsa521"} {
		m := sshSigned(t, name)
		list := signing.ParseAllowed([]byte("alice@example.com " + read(t, name+".pub") + "\n"))
		known := signing.Known{Allowed: list}
		require.Equal(t, signing.Proof{Verdict: signing.Valid, Key: signing.Fingerprint(m.Signature),
			Signer: "alice@example.com"}, known.Check(m, here, now), name)
		another := m // whose signature says that it is by another key
		another.Signature = strings.Replace(m.Signature, signing.Fingerprint(m.Signature),
			strings.Repeat("A", len(signing.Fingerprint(m.Signature))), 1)
		require.Equal(t, signing.Proof{Verdict: signing.Malformed}, known.Check(another, here, now), name)
		changed := m
		changed.Content += "!"
		require.Equal(t, signing.Altered, known.Check(changed, here, now).Verdict, name)
		require.Equal(t, signing.UnknownKey, signing.Known{}.Check(m, here, now).Verdict, name)
	}
}

func TestSSHSignatureForAnotherPurpose(t *testing.T) {
	_, err := signing.FromSSH([]byte(read(t, "git.sig")), here)
	require.Error(t, err)
	for _, text := range []string{"", "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n",
		strings.Replace(read(t, "ed25519.sig"), "SSH SIGNATURE", "PGP SIGNATURE", 2)} {
		_, err := signing.FromSSH([]byte(text), here)
		require.Error(t, err)
	}
}

// TestDamagedSSHSignatures changes every byte of a signature.
func TestDamagedSSHSignatures(t *testing.T) {
	m := sshSigned(t, "ecdsa256")
	known := signing.Known{Allowed: signing.ParseAllowed([]byte("a " + read(t, "ecdsa256.pub")))}
	head := m.Signature[:strings.LastIndex(m.Signature, ":")+1]
	blob, err := base64.StdEncoding.DecodeString(m.Signature[len(head):])
	require.NoError(t, err)
	for i := range blob {
		for _, bit := range []byte{1, 0x80} {
			blob[i] ^= bit
			m.Signature = head + base64.StdEncoding.EncodeToString(blob)
			require.NotEqual(t, signing.Valid, known.Check(m, here, now).Verdict, i)
			blob[i] ^= bit
		}
		m.Signature = head + base64.StdEncoding.EncodeToString(blob[:i])
		require.Equal(t, signing.Malformed, known.Check(m, here, now).Verdict, "the first %d bytes", i)
	}
}

func TestAllowedSigners(t *testing.T) {
	m := sshSigned(t, "ed25519")
	pub := read(t, "ed25519.pub")
	bare := strings.Join(strings.Fields(pub)[:2], " ")
	for line, who := range map[string]string{
		"alice " + pub: "alice",
		"alice@example.com,*@example.org " + bare:                     "alice@example.com,*@example.org",
		`"alice smith" ` + pub:                                        "alice smith",
		"  alice\t" + pub + "\r":                                      "alice",
		`alice namespaces="ltm" ` + pub:                               "alice",
		`alice namespaces="git,ltm" ` + pub:                           "alice",
		`alice namespaces="*" ` + pub:                                 "alice",
		`alice NAMESPACES="l?m" ` + pub:                               "alice",
		`alice namespaces="git" ` + pub:                               "",
		`alice namespaces="*,!ltm" ` + pub:                            "",
		`alice valid-after="20260101" ` + pub:                         "alice",
		`alice valid-after="20260601120001Z" ` + pub:                  "",
		`alice valid-before="20260601120000Z" ` + pub:                 "",
		`alice valid-before="202606011201Z" ` + pub:                   "alice",
		`alice valid-after="20250101",namespaces="ltm" ` + pub:        "alice",
		`alice valid-after="yesterday" ` + pub:                        "",
		`alice valid-after=20260101Z ` + pub:                          "alice",
		"alice cert-authority " + pub:                                 "",
		"alice no-such-option " + pub:                                 "",
		`alice namespaces="ltm ` + pub:                                "",
		"# alice " + pub:                                              "",
		pub:                                                           "",
		"alice " + strings.Replace(bare, "ssh-ed25519", "ssh-rsa", 1): "",
		"alice ssh-ed25519 not-base64":                                "",
		"alice " + read(t, "rsa3072.pub"):                             "",
		"bob " + read(t, "rsa3072.pub") + "\nalice " + pub:            "alice",
		"alice valid-before=\"20200101\" " + pub + "\nlater " + pub:   "later",
		"alice " + pub + "\n" + strings.Repeat("#", 1<<20):            "",
	} {
		proof := signing.Known{Allowed: signing.ParseAllowed([]byte(line))}.Check(m, here, now)
		require.Equal(t, who, proof.Signer, line)
		require.Equal(t, who != "", proof.Verdict == signing.Valid, line)
	}
	expired := signing.Known{Allowed: signing.ParseAllowed([]byte(`a valid-before="20260701Z" ` + pub))}
	require.Equal(t, signing.Valid, expired.Check(m, here, now).Verdict)
	require.Equal(t, signing.UnknownKey, expired.Check(m, here, now.Add(60*24*time.Hour)).Verdict)
}
