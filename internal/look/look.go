// Package look is the common design of all pages of ltm: the style sheet that the local page of ltm ui and the pages of
// ltm-server both begin with. It has the colors for light and dark, the type, the header, links and focus; each of the
// two adds styles of its own. It loads nothing: no fonts, no images.
package look

import _ "embed" // for the style sheet

//go:embed base.css
var base []byte

// Base returns the style sheet. It must not be changed.
func Base() []byte { return base }
