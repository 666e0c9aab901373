// Package npm installs npm packages in the versions that a lock file pins. Only tests use it.
package npm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// timeLimit bounds one installation, which fetches some megabytes.
const timeLimit = 5 * time.Minute

// Dir returns the directory in the user's cache for what files ask for, and whether it is installed there. Its name is
// made of name and of the contents of the files: package.json, package-lock.json, npmrc, and others that belong to it.
func Dir(name string, files fs.FS) (dir string, installed bool, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", false, err
	}
	names, err := fs.Glob(files, "*")
	if err != nil {
		return "", false, err
	}
	slices.Sort(names)
	sum := sha256.New()
	for _, file := range names {
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return "", false, err
		}
		sum.Write(data)
	}
	dir = filepath.Join(cache, "ltm-test", name+"-"+hex.EncodeToString(sum.Sum(nil)[:8]))
	_, err = os.Stat(dir)
	return dir, err == nil, nil
}

// Install installs what files ask for into a directory that [Dir] returned. An installation is there as a whole or not
// at all, also when several processes install it at once.
func Install(dir string, files fs.FS) (err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "new-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	if err := os.CopyFS(temp, files); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(temp, "npmrc"), filepath.Join(temp, ".npmrc")); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = temp
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	if err := os.Rename(temp, dir); err != nil {
		if _, there := os.Stat(dir); there == nil { // another process was faster
			return nil
		}
		return err
	}
	return nil
}
