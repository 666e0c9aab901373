package packet

import (
	"fmt"
	"strconv"
)

// checker collects the faults of a document.
type checker struct {
	version string
	draft   bool // what a writer does not know may be missing
	allowed bool // faults of keys also name those that are allowed
	faults  Faults
	more    int // faults over maxFaults
}

// checkWith returns the faults of a document as an error, or nil.
func checkWith(c *checker, n *node) error {
	if n.form != objectForm {
		return fail(KindNotObject, "a packet is an object, and this is %s", n.form)
	}
	if !c.chooseVersion(n) {
		return c.faults
	}
	rules := document()
	c.check("", &rules, n)
	return c.err()
}

// chooseVersion reads the version, and reports whether the rules of one can be applied: without a version, those of the
// latest, so that the other faults are found too. What an unknown version allows is not known.
func (c *checker) chooseVersion(n *node) bool {
	c.version = Version02
	v := n.get("ltm_version")
	switch {
	case v == nil && c.draft:
	case v == nil:
		c.add("", KindNoVersion, `"ltm_version" is missing`)
	case v.form != textForm:
		c.add("/ltm_version", KindNoVersion, "is "+v.form.String()+", a text is needed")
	case v.text == "":
		c.add("/ltm_version", KindNoVersion, "is empty")
	case v.text != Version01 && v.text != Version02:
		c.add("/ltm_version", KindVersion, fmt.Sprintf("is %s, only %q and %q are known", quoted(v.text),
			Version01, Version02))
		return false
	default:
		c.version = v.text
	}
	return true
}

func (c *checker) add(path string, kind Kind, message string) {
	if len(c.faults) == maxFaults {
		c.more++
		return
	}
	c.faults = append(c.faults, Fault{Path: path, Kind: kind, Message: message})
}

// err returns the faults, or nil.
func (c *checker) err() error {
	if len(c.faults) == 0 {
		return nil
	}
	if c.more > 0 {
		more := fmt.Sprintf("%d more faults are not listed", c.more)
		c.faults = append(c.faults, Fault{Kind: KindMore, Message: more})
	}
	return c.faults
}

// check compares a value with its rule.
func (c *checker) check(path string, r *rule, n *node) {
	switch {
	case path == "/ltm_version": // chooseVersion looked at it
	case n.form != r.form:
		c.add(path, KindType, "is "+n.form.String()+", "+r.form.String()+" is needed")
	case n.form == textForm:
		c.checkText(path, r, n)
	case n.form == listForm:
		if len(n.items) > r.most {
			c.add(path, KindMany, fmt.Sprintf("has %d items, at most %d are allowed", len(n.items), r.most))
		}
		for i := range n.items {
			c.check(path+"/"+strconv.Itoa(i), r.item, &n.items[i])
		}
	case n.form == objectForm:
		c.checkObject(path, r, n)
	}
}

func (c *checker) checkText(path string, r *rule, n *node) {
	if n.flaw != "" {
		c.add(path, KindEncoding, n.flaw)
	}
	count := length(n.text)
	switch {
	case count < r.least && r.least == 1:
		c.add(path, KindShort, "is empty")
	case count < r.least:
		c.add(path, KindShort, fmt.Sprintf("has %d characters, at least %d are needed", count, r.least))
	case r.most > 0 && count > r.most:
		c.add(path, KindLong, tooLong(count, r.most))
	case r.check != nil && n.flaw == "":
		if kind, message := r.check(n.text); message != "" {
			c.add(path, kind, message)
		}
	}
}

func (c *checker) checkObject(path string, r *rule, n *node) {
	seen := make(map[string]bool, len(n.members))
	for i := range n.members {
		m := &n.members[i]
		if seen[m.name] {
			c.add(path, KindDuplicate, "has the key "+quoted(m.name)+" again")
		}
		seen[m.name] = true
		f := r.field(m.name)
		if f == nil { // it has to go as a whole, so its value does not matter
			message := "has the unknown key " + quoted(m.name)
			if c.allowed {
				message += "; allowed are " + r.keys()
			}
			c.add(path, KindUnknown, message)
			continue
		}
		if f.newer && c.version == Version01 {
			c.add(path, KindNewer, fmt.Sprintf("has the key %q, which only version %s has", m.name, Version02))
		}
		c.check(path+"/"+m.name, f, &m.node)
	}
	for i := range r.fields {
		if f := &r.fields[i]; f.required && !seen[f.name] && !c.spares(path, f.name) {
			c.add(path, KindMissing, fmt.Sprintf("%q is missing", f.name))
		}
	}
}

// spares reports whether a required field may be missing: the version, which chooseVersion looked at,
// and in a draft what [IDs.Stamp] fills in.
func (c *checker) spares(path, name string) bool {
	return path == "" && (name == "ltm_version" || c.draft && (name == "id" || name == "created_at"))
}
