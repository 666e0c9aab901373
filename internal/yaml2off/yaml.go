// Package yaml replaces gopkg.in/yaml.v2 in builds of ltm.
//
// adrg/frontmatter imports that library for its own formats of front matter. ltm gives it a format of its own and reads
// the header with gopkg.in/yaml.v3. But the library compiles expressions and fills tables while the process starts, and
// hooks run at every tool call. This package has the name that frontmatter refers to and does nothing at start.
package yaml

import "errors"

// Unmarshal returns an error.
func Unmarshal([]byte, any) error {
	return errors.New("this build reads front matter with a format of its own")
}
