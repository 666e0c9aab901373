package packet

// form is the type of a JSON value.
type form int

const (
	nullForm form = iota
	flagForm
	numberForm
	textForm
	listForm
	objectForm
)

// String returns the type with its article, as messages name it.
func (f form) String() string {
	switch f {
	case flagForm:
		return "true or false"
	case numberForm:
		return "a number"
	case textForm:
		return "a text"
	case listForm:
		return "a list"
	case objectForm:
		return "an object"
	}
	return "null"
}

// node is a JSON value as it was read, or as it will be written. Numbers have no value, because no field is one.
type node struct {
	form    form
	flag    bool
	text    string
	flaw    string   // what is wrong with the encoding of text; "" if nothing
	items   []node   // of a list
	members []member // of an object, in order, with duplicates
}

// member is a key of an object and its value.
type member struct {
	name string
	node
}

// get returns the value of a key, or nil. If the key occurs twice, it returns the last value.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return &n.members[i].node
		}
	}
	return nil
}

// str returns the text of a key, or "".
func (n *node) str(name string) string {
	if v := n.get(name); v != nil {
		return v.text
	}
	return ""
}

func textNode(text string) (n node) {
	n.form = textForm
	n.text, n.flaw = validText(text)
	return n
}
