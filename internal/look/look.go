// Package look is what all pages of ltm look like: the style sheet that the local page of ltm ui and the pages of
// ltm-server both begin with. It has the colors for light and dark, the type, the header, links and focus; each adds
// what only it shows. It loads nothing: no fonts, no images.
package look

import _ "embed" // for the style sheet

//go:embed base.css
var base []byte

// Base returns the style sheet. It must not be changed.
func Base() []byte { return base }
