package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ltm/internal/fs/atomicfile"
	"ltm/internal/fs/regular"
	"ltm/memory"
)

const (
	hostsFolder = "hosts"
	defaultFile = "default"
	suffix      = ".json"

	dirPerm  = 0o700
	filePerm = 0o600

	// others are the permission bits of everyone but the person.
	others = 0o077

	// othersWrite are those with which others could replace files.
	othersWrite = 0o022

	maxCredentialBytes = 16 << 10
	maxHosts           = 1000

	fileVersion = 1
)

// Credentials are a person's tokens: a file for each server in the directory "hosts" of a directory of
// the person's own, which only they can read, and which server is the default one. Files are
// replaced as a whole. The directory need not exist.
type Credentials struct{ dir, none string }

// NewCredentials returns the credentials in a directory.
func NewCredentials(dir string) Credentials { return Credentials{dir: dir} }

// NoCredentials returns credentials that have nothing and take nothing, and why.
func NoCredentials(why string) Credentials { return Credentials{none: why} }

// Credential is a person's token for a server, and what is known about it.
type Credential struct {
	Host    Host
	Token   string
	User    string // the user's id; empty: unknown
	Display string // what others see of the user
	AddedAt time.Time
	Default bool
	File    string
	Exposed bool  // others could read the file until now
	Err     error // why the file cannot be used
}

// credentialFile is the content of a file.
type credentialFile struct {
	Version int       `json:"version"`
	Host    string    `json:"host"`
	Token   string    `json:"token"`
	User    string    `json:"user,omitempty"`
	Display string    `json:"display,omitempty"`
	AddedAt time.Time `json:"added_at,omitzero"`
}

// fileOf returns the name of a server's file: readable, and unlike that of any other.
func fileOf(h Host) string {
	readable := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' {
			return r
		}
		return '_'
	}, strings.TrimPrefix(strings.TrimPrefix(strings.ToLower(h.base), "https://"), "http://"))
	sum := sha256.Sum256([]byte(h.base))
	return readable[:min(len(readable), 60)] + "-" + hex.EncodeToString(sum[:6]) + suffix
}

// Dir returns the directory.
func (c Credentials) Dir() string { return c.dir }

func (c Credentials) placed() error {
	if c.none != "" {
		return memory.NewError(memory.CodeInvalid, memory.KindRemotePlace, "", "there can be no tokens here: %s",
			c.none)
	}
	return nil
}

// open opens the directory of the files, or returns nil if it does not exist. From then on, only the
// person has access to it.
func (c Credentials) open() (*os.Root, error) {
	if err := c.placed(); err != nil {
		return nil, err
	}
	path := filepath.Join(c.dir, hostsFolder)
	root, err := regular.OpenPath(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		if err = narrow(root, path); err != nil {
			root.Close()
		}
	}
	if err != nil {
		return nil, failed("open", path, err)
	}
	return root, nil
}

// make is open, and makes what is not there.
func (c Credentials) make() (*os.Root, error) {
	if err := c.placed(); err != nil {
		return nil, err
	}
	path := filepath.Join(c.dir, hostsFolder)
	if err := os.MkdirAll(path, dirPerm); err != nil {
		return nil, failed("make", path, err)
	}
	above, err := regular.OpenPath(c.dir)
	if err != nil {
		return nil, failed("open", c.dir, err)
	}
	defer above.Close()
	if err := narrow(above, c.dir); err != nil {
		return nil, failed("open", c.dir, err)
	}
	root, err := c.open()
	if err == nil && root == nil {
		return nil, failed("open", path, fs.ErrNotExist) // it was removed this moment
	}
	if err == nil {
		sweep(root)
	}
	return root, err
}

// List returns the credentials, by server, those that cannot be used among them.
func (c Credentials) List() ([]Credential, error) {
	root, err := c.open()
	if root == nil {
		return nil, err
	}
	defer root.Close()
	names, err := regular.Names(root, ".", maxHosts)
	if err != nil {
		return nil, failed("read", root.Name(), err)
	}
	byDefault := defaultOf(root)
	var list []Credential
	for _, name := range names {
		if strings.HasSuffix(name, suffix) && !strings.HasPrefix(name, ".") {
			found := c.read(root, name)
			found.Default = !found.Host.IsZero() && found.Host == byDefault
			list = append(list, found)
		}
	}
	slices.SortFunc(list, func(a, b Credential) int {
		return strings.Compare(a.Host.base+"\x00"+a.File, b.Host.base+"\x00"+b.File)
	})
	return list, nil
}

// defaultOf returns the default server, or no server.
func defaultOf(root *os.Root) Host {
	text, err := regular.Read(root, defaultFile, maxCredentialBytes)
	if err != nil {
		return Host{}
	}
	host, err := ParseHost(string(text))
	if err != nil {
		return Host{}
	}
	return host
}

// read reads a file, which only the person can read from then on.
func (c Credentials) read(root *os.Root, name string) Credential {
	got := Credential{File: filepath.Join(c.dir, hostsFolder, name)}
	damaged := func(format string, args ...any) Credential {
		got.Token = ""
		got.Err = memory.NewError(memory.CodeUnreadable, memory.KindRemoteDamaged, got.File,
			"%s cannot be used: %s", got.File, fmt.Sprintf(format, args...))
		return got
	}
	info, err := regular.Info(root, name)
	if err == nil && info == nil {
		err = fs.ErrNotExist
	}
	if err != nil {
		return damaged("%v", atomicfile.Cause(err))
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&others != 0 {
		got.Exposed = true
		if err := root.Chmod(name, filePerm); err != nil {
			return damaged("others may read it, and that cannot be changed")
		}
	}
	text, err := regular.Read(root, name, maxCredentialBytes)
	if err != nil {
		return damaged("%v", atomicfile.Cause(err))
	}
	var file credentialFile
	if json.Unmarshal(text, &file) != nil {
		return damaged("it is not JSON of the right form")
	}
	if file.Version != fileVersion {
		return damaged("it has version %d, and this program knows %d", file.Version, fileVersion)
	}
	host, err := ParseHost(file.Host)
	if err != nil || fileOf(host) != name {
		return damaged("it is not about the server that its name says")
	}
	got.Host, got.Token, got.User, got.Display = host, file.Token, file.User, file.Display
	got.AddedAt = file.AddedAt
	if CheckToken(file.Token) != nil {
		return damaged("what it has is not a token")
	}
	return got
}

// Find returns what a person has for a server.
func (c Credentials) Find(host Host) (Credential, error) {
	root, err := c.open()
	if err != nil {
		return Credential{}, err
	}
	none := memory.NewError(memory.CodeNotFound, memory.KindTokenNone, host.String(), "there is no token for %s", host)
	if root == nil {
		return Credential{}, none
	}
	defer root.Close()
	if _, err := root.Lstat(fileOf(host)); errors.Is(err, fs.ErrNotExist) {
		return Credential{}, none
	}
	found := c.read(root, fileOf(host))
	found.Default = host == defaultOf(root)
	return found, found.Err
}

// Default returns the default server, or the only one that there is.
func (c Credentials) Default() (Host, error) {
	list, err := c.List()
	if err != nil {
		return Host{}, err
	}
	for _, one := range list {
		if one.Default || len(list) == 1 && !one.Host.IsZero() {
			return one.Host, nil
		}
	}
	if len(list) > 1 {
		return Host{}, memory.NewError(memory.CodeInvalid, memory.KindHostNone, "",
			"there are tokens for several servers, and none of them is the default")
	}
	return Host{}, memory.NewError(memory.CodeInvalid, memory.KindHostNone, "", "no server is known")
}

// Put keeps a credential, and replaces that of the same server. The first one becomes the default.
func (c Credentials) Put(given Credential) error { return c.put(given, true) }

// Add is Put, but fails if there is one for the server.
func (c Credentials) Add(given Credential) error { return c.put(given, false) }

// Ready reports whether a token can be stored now, so that none is requested that would be lost.
func (c Credentials) Ready() error {
	root, err := c.make()
	if err != nil {
		return err
	}
	defer root.Close()
	staged, err := atomicfile.Stage(root, "ready", make([]byte, maxCredentialBytes), filePerm)
	if err != nil {
		return failed("write", filepath.Join(c.dir, hostsFolder), err)
	}
	staged.Discard()
	return nil
}

func (c Credentials) put(given Credential, replace bool) error {
	if err := CheckToken(given.Token); err != nil {
		return err
	}
	root, err := c.make()
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := json.MarshalIndent(credentialFile{Version: fileVersion, Host: given.Host.base, Token: given.Token,
		User: given.User, Display: given.Display, AddedAt: given.AddedAt.UTC().Truncate(time.Second)}, "", "  ")
	if err != nil {
		return err
	}
	name := fileOf(given.Host)
	err = write(root, name, append(data, '\n'), replace)
	if errors.Is(err, fs.ErrExist) {
		return memory.NewError(memory.CodeConflict, memory.KindRemoteConflict, given.Host.String(),
			"there is a token for %s already", given.Host)
	}
	if err != nil {
		return failed("write", filepath.Join(c.dir, hostsFolder, name), err)
	}
	if defaultOf(root).IsZero() {
		return c.use(root, given.Host)
	}
	return nil
}

// Use makes a server the default one. It needs a credential.
func (c Credentials) Use(host Host) error {
	if _, err := c.Find(host); err != nil {
		return err
	}
	root, err := c.make()
	if err != nil {
		return err
	}
	defer root.Close()
	return c.use(root, host)
}

func (c Credentials) use(root *os.Root, host Host) error {
	return failed("write", filepath.Join(c.dir, hostsFolder, defaultFile),
		write(root, defaultFile, []byte(host.base+"\n"), true))
}

// Remove removes what a person has for a server, also a file that cannot be used. If it was the
// default, none is until the person says so, unless only one is left.
func (c Credentials) Remove(host Host) error {
	if _, err := c.Find(host); memory.KindOf(err) == memory.KindTokenNone ||
		err != nil && memory.KindOf(err) != memory.KindRemoteDamaged {
		return err
	}
	root, err := c.make()
	if err != nil {
		return err
	}
	defer root.Close()
	if defaultOf(root) == host {
		err = atomicfile.Remove(root, defaultFile)
	}
	if err == nil {
		err = atomicfile.Remove(root, fileOf(host))
	}
	return failed("remove", filepath.Join(c.dir, hostsFolder, fileOf(host)), err)
}
