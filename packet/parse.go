package packet

// Parse reads a packet as it is sent: UTF-8 JSON of at most MaxBytes. The error is [Faults], with
// all faults in the order of the document. See the package's documentation for what Parse refuses
// and the reference implementation does not.
func Parse(data []byte) (Packet, error) { return parse(data, MaxBytes) }

// ParseStored reads a packet as a server gives it back, in at most MaxStoredBytes. Only the form
// may be longer than MaxBytes, not the packet: the canonical form of the result is not.
func ParseStored(data []byte) (Packet, error) {
	p, err := parse(data, MaxStoredBytes)
	if err != nil {
		return Packet{}, err
	}
	if err := p.Check(); err != nil {
		return Packet{}, err
	}
	return p, nil
}

// ParseDraft reads what a writer knows about a packet, in at most MaxStoredBytes: as Parse, but id,
// created_at and ltm_version may be missing, and are empty then. Without a version, the rules are
// those of the latest. [IDs.Stamp] completes the result.
func ParseDraft(data []byte) (Packet, error) {
	n, err := bounded(data, MaxStoredBytes)
	if err != nil {
		return Packet{}, err
	}
	if err := checkWith(&checker{draft: true}, &n); err != nil {
		return Packet{}, err
	}
	return decode(&n), nil
}

func parse(data []byte, most int) (Packet, error) {
	n, err := bounded(data, most)
	if err != nil {
		return Packet{}, err
	}
	if err := checkDocument(&n); err != nil {
		return Packet{}, err
	}
	return decode(&n), nil
}

// bounded scans a document of at most that many bytes.
func bounded(data []byte, most int) (node, error) {
	if len(data) > most {
		return node{}, fail(KindTooLarge, "it has %d bytes, at most %d are allowed", len(data), most)
	}
	return scan(data)
}

// decode makes a packet from a document without faults.
func decode(n *node) Packet {
	p := Packet{
		Version:         n.str("ltm_version"),
		ID:              n.str("id"),
		ParentID:        n.str("parent_id"),
		CreatedAt:       n.str("created_at"),
		Goal:            n.str("goal"),
		SuccessCriteria: n.texts("success_criteria"),
		Constraints:     n.texts("constraints"),
		OpenQuestions:   n.texts("open_questions"),
		NextStep:        n.str("next_step"),
		Tags:            n.texts("tags"),
	}
	if o := n.get("project"); o != nil {
		p.Project = &Project{Name: o.str("name"), Ref: o.str("ref")}
	}
	for _, o := range n.list("decisions") {
		locked := o.get("locked")
		p.Decisions = append(p.Decisions, Decision{What: o.str("what"), Why: o.str("why"),
			Consequences: o.str("consequences"), Locked: locked != nil && locked.flag})
	}
	for _, o := range n.list("methods") {
		p.Methods = append(p.Methods, Method{Name: o.str("name"), WhenApplicable: o.str("when_applicable"),
			How: o.str("how")})
	}
	for _, o := range n.list("attempts") {
		p.Attempts = append(p.Attempts, Attempt{Tried: o.str("tried"), Outcome: Outcome(o.str("outcome")),
			Learned: o.str("learned"), Confidence: Level(o.str("confidence"))})
	}
	if o := n.get("provenance"); o != nil {
		p.Provenance = &Provenance{AuthorModel: o.str("author_model"), AuthorHuman: o.str("author_human"),
			SourceHash: o.str("source_hash"), Confidence: Level(o.str("confidence"))}
	}
	return p
}
