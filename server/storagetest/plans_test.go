package storagetest_test

import "strings"

// readsEverything reports whether a query is for all rows of a table: for the operator, or for what is
// purged, which has an index of its own.
func readsEverything(query string) bool {
	for _, all := range []string{
		"FROM users u WHERE u.deleted IS NULL ORDER BY",                                 // ListUsers
		"FROM tokens k ORDER BY",                                                        // ListTokens of all users
		"SELECT\n\t\t\t(SELECT count(*) FROM users",                                     // Totals
		"FROM apps a WHERE a.deleted IS NULL ORDER BY",                                  // ListApps
		"FROM app_keys k JOIN apps a ON a.seq = k.app WHERE a.deleted IS NULL ORDER BY", // ListKeys of all
		"FROM origins o",      // one row
		"FROM ltm_migrations", // a row a version
		"SELECT state, kind, count(*) FROM jobs GROUP BY", // JobTotals
	} {
		if strings.Contains(query, all) {
			return true
		}
	}
	return false
}
