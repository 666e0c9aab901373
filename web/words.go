package web

import "ltm/internal/advice"

// nextSteps returns what readers of the page do next, by the kind of what happened.
func nextSteps() advice.Table { return advice.Table{} }
