package threads

// EventFields returns the fields of events that a [Filter] may name, with their types. An application's own are
// those of [Settings.Fields], as "meta.KEY".
func EventFields() map[string]string {
	return map[string]string{"role": "text", "agent": "text", "session": "text", "lang": "text", "thread": "text",
		"importance": "number", "occurred_at": "time", "recorded_at": "time"}
}

// ClaimFields returns the fields of claims that a [Filter] may name, with their types. Claims have no meta.
func ClaimFields() map[string]string {
	return map[string]string{"bucket": "text", "state": "text", "stability": "text", "confidence": "number",
		"reinforced": "number", "created_at": "time", "updated_at": "time", "expires_at": "time"}
}
