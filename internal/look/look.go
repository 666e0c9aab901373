// Package look is the common design of all pages of ltm: the style sheet that the local page of ltm ui and the pages of
// ltm-server both begin with. It has the colors for light and dark, the type, and every part that both have, for the
// screen, a phone and paper; each of the two adds only what it alone has. It loads nothing: no fonts, no images.
package look

import _ "embed" // for the style sheet

//go:embed look.css
var sheet []byte

// Sheet returns the style sheet. It must not be changed.
func Sheet() []byte { return sheet }
