//go:build unix

package pgtest

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// start makes a cluster and starts it.
func start() (running, error) {
	bin, err := binaries()
	if err != nil {
		return running{}, err
	}
	// The path of a socket has at most 103 bytes on some systems, so TMPDIR may be too long.
	dir, err := os.MkdirTemp("/tmp", "ltmpg")
	if err != nil {
		return running{}, err
	}
	who, err := unprivileged(dir)
	if err != nil {
		return running{}, err
	}
	data := filepath.Join(dir, "data")
	steps := [][]string{
		{"initdb", "-D", data, "-U", "ltm", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"},
		{"pg_ctl", "-D", data, "-w", "-t", "60", "-l", filepath.Join(dir, "log"), "-o",
			"-c listen_addresses='' -c unix_socket_directories=" + dir + " -c max_connections=300" +
				" -c fsync=off -c synchronous_commit=off -c full_page_writes=off", "start"},
	}
	guard, err := supervise(dir, data, bin, who)
	if err != nil {
		return running{}, err
	}
	for _, step := range steps {
		cmd := exec.Command(filepath.Join(bin, step[0]), step[1:]...)
		// Files, not pipes: the server would hold a pipe open, and Wait would wait for it.
		out, err := os.Create(filepath.Join(dir, step[0]+".out"))
		if err != nil {
			return running{}, err
		}
		cmd.Dir, cmd.SysProcAttr, cmd.Stdout, cmd.Stderr = dir, who, out, out
		if err := cmd.Run(); err != nil {
			said, _ := os.ReadFile(out.Name())
			return running{}, fmt.Errorf("%s: %w\n%s", step[0], err, said)
		}
		if err := out.Close(); err != nil {
			return running{}, err
		}
	}
	u := url.URL{Scheme: "postgres", User: url.User("ltm"), Path: "/postgres",
		RawQuery: url.Values{"host": {dir}, "sslmode": {"disable"}}.Encode()}
	return running{url: u.String(), guard: guard}, nil
}

// binaries returns the directory of initdb and pg_ctl.
func binaries() (string, error) {
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil {
		return "", err
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		folders = append(folders, filepath.Dir(path))
	}
	for i := len(folders) - 1; i >= 0; i-- {
		_, noInit := os.Stat(filepath.Join(folders[i], "initdb"))
		_, noCtl := os.Stat(filepath.Join(folders[i], "pg_ctl"))
		if noInit == nil && noCtl == nil {
			return folders[i], nil
		}
	}
	return "", errNone
}

// unprivileged gives a directory to the user that the cluster is run by, since Postgres refuses root. All
// that is started is in a group of its own: what interrupts the test must not stop it half-way.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() != 0 {
		return attr, nil
	}
	for _, name := range []string{"nobody", "postgres"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			continue
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		return attr, os.Chown(dir, int(uid), int(gid))
	}
	return nil, fmt.Errorf("neither nobody nor postgres is a user: Postgres refuses to be run by root")
}

// supervise starts a process that stops the cluster and removes its directory when this process has
// ended, by whatever means: its standard input is a pipe that then ends.
func supervise(dir, data, bin string, who *syscall.SysProcAttr) (io.Closer, error) {
	cmd := exec.Command("/bin/sh", "-c",
		`cat >/dev/null; cd /; "$1/pg_ctl" -D "$2" -m immediate -w -t 30 stop; rm -rf "$3"`, "sh", bin, data, dir)
	cmd.SysProcAttr = who
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return pipe, cmd.Start()
}
