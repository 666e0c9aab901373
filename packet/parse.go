package packet

import "reflect"

// Parse reads a packet as it is sent: UTF-8 JSON of at most MaxBytes. The error is [Faults], with
// all faults in the order of the document. See the package's documentation for what Parse refuses
// and the reference implementation does not.
func Parse(data []byte) (Packet, error) { return parse(data, MaxBytes, &checker{}) }

// ParseStored reads a packet as a server gives it back, in at most MaxStoredBytes. Only the form
// may be longer than MaxBytes, not the packet: the canonical form of the result is not.
func ParseStored(data []byte) (Packet, error) {
	p, err := parse(data, MaxStoredBytes, &checker{})
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
	return parse(data, MaxStoredBytes, &checker{draft: true})
}

func parse(data []byte, most int, c *checker) (Packet, error) {
	n, err := bounded(data, most)
	if err != nil {
		return Packet{}, err
	}
	if err := checkWith(c, &n); err != nil {
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
func decode(n *node) (p Packet) {
	rules := document()
	rules.decode(reflect.ValueOf(&p).Elem(), n)
	return p
}
