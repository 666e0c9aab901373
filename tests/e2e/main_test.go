//go:build e2e

package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The environment of the inner run, which has no network.
const (
	binaryEnv   = "LTM_E2E_BINARY"   // the ltm built for the tests
	isolatedEnv = "LTM_E2E_ISOLATED" // yes or no; only set in the inner run
)

// TestMain does what needs a network, then runs the tests in a process without one.
func TestMain(m *testing.M) {
	flag.Parse()
	if os.Getenv(isolatedEnv) != "" {
		fmt.Fprintln(os.Stderr, "e2e: network but loopback shut off:", os.Getenv(isolatedEnv))
		os.Exit(m.Run())
	}
	status, err := prepareAndRun()
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		status = 1
	}
	os.Exit(status)
}

func prepareAndRun() (int, error) {
	if flag.Lookup("test.list").Value.String() == "" {
		for _, version := range versions {
			if err := install(version); err != nil {
				return 0, err
			}
		}
	}
	binary := os.Getenv(binaryEnv)
	if binary == "" {
		dir, err := os.MkdirTemp("", "ltm-e2e-")
		if err != nil {
			return 0, err
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "ltm")
		build := exec.Command("go", "build", "-o", binary, "ltm/cmd/ltm")
		if out, err := build.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("building ltm: %w\n%s", err, out)
		}
	}
	prefix := isolation()
	isolated := "no: this machine does not allow it"
	if prefix != nil {
		isolated = "yes"
	}
	// On a small machine, more than two clients at once slow each other down.
	argv := append(append(prefix, os.Args...), "-test.parallel=2")
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), binaryEnv+"="+binary, isolatedEnv+"="+isolated)
	var failed *exec.ExitError
	if err := cmd.Run(); errors.As(err, &failed) {
		return failed.ExitCode(), nil
	} else if err != nil {
		return 0, err
	}
	return 0, nil
}

// isolation returns a command prefix that removes all network but loopback, or nil if the machine
// does not allow that.
func isolation() []string {
	const up = `ip link set lo up && exec "$@"`
	// Mounts of a test are private as well.
	for _, flags := range []string{"-nm", "-rnm"} {
		prefix := []string{"unshare", flags, "sh", "-c", up, "sh"}
		try := append(append([]string(nil), prefix...), "true")
		if exec.Command(try[0], try[1:]...).Run() == nil {
			return prefix
		}
	}
	return nil
}
