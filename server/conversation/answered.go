package conversation

// answered returns, for each recent event of the assistant, the event of the user that it is the answer to: the last
// one before it, whatever the assistant and its tools said in between.
func (r Request) answered() []string {
	all := make([]string, len(r.Recent))
	last := r.Answered
	for i, e := range r.Recent {
		switch e.Role {
		case User:
			last = e.ID
		case Assistant:
			all[i] = last
		}
	}
	return all
}
