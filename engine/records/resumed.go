package records

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Running finds the record of a session that was resumed, of which the client tells its server another
// id: it is the only one of the project that was written since the server began.
type Running struct {
	Dirs
	Project string // the directory in which the client was started
	Began   time.Time
}

// Find is [Dirs.Find], and finds the record of a resumed session if none has the id.
func (r Running) Find(session string) (path string, ok bool) {
	if path, ok = r.Dirs.Find(session); ok || session == "" {
		return path, ok
	}
	for _, dir := range r.Dirs {
		dir = filepath.Join(dir, Folder(r.Project))
		files, _ := os.ReadDir(dir) // missing if the client has never run here
		for _, f := range files {
			info, err := f.Info()
			if err != nil || !strings.HasSuffix(f.Name(), ".jsonl") || info.ModTime().Before(r.Began) {
				continue
			}
			if ok {
				return "", false // two sessions are at work
			}
			path, ok = filepath.Join(dir, f.Name()), true
		}
	}
	return path, ok
}

// maxFolder is the length from which the client shortens the name of a project's directory.
const maxFolder = 200

// Folder returns the client's name for a project: its path, with "-" for everything but letters and
// digits, without links. The client counts in UTF-16.
func Folder(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	units := utf16.Encode([]rune(path))
	name := make([]byte, len(units))
	var hash int32
	for i, u := range units {
		hash = hash<<5 - hash + int32(u)
		name[i] = '-'
		if u < 0x80 && (u >= '0' && u <= '9' || u >= 'a' && u <= 'z' || u >= 'A' && u <= 'Z') {
			name[i] = byte(u)
		}
	}
	if len(name) <= maxFolder {
		return string(name)
	}
	return string(name[:maxFolder]) + "-" + strconv.FormatInt(int64(math.Abs(float64(hash))), 36)
}
