package postgres

import "ltm/server/sqlstore"

// Classify tells what an error means.
func Classify(err error) sqlstore.Fault { return classify(err) }
