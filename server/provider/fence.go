package provider

import (
	"strings"

	"ltm/text/safe"
	"ltm/text/secrets"
)

// mask returns a text as it may leave the machine: without invisible characters, because these would hide a
// credential, and without credentials. The endpoint's own key is one.
func (c *Client) mask(text string) string {
	text = safe.Text(text)
	if key := string(c.o.Key); len(key) >= shortestKey {
		text = strings.ReplaceAll(text, key, secrets.Mask)
	}
	text, _ = secrets.RedactTalk(text)
	return text
}

// shortestKey keeps a placeholder, which local servers accept as a key, from being masked as a word of the texts.
const shortestKey = 12

// controls are what chat templates and tokenizers take for the bounds of messages, and what is sent instead: the same
// with a blank in it. A server that runs a template over a message's text does not see them in it.
func controls() *strings.Replacer {
	return strings.NewReplacer("<|", "< |", "|>", "| >", "[INST]", "[ INST]", "[/INST]", "[ /INST]",
		"<<SYS>>", "< <SYS> >", "<</SYS>>", "< </SYS> >", "<s>", "< s>", "</s>", "< /s>",
		"<start_of_turn>", "< start_of_turn>", "<end_of_turn>", "< end_of_turn>", "<｜", "< ｜", "｜>", "｜ >")
}

// said returns a person's or an application's own words as one message has them.
func (c *Client) said(text string) string { return controls().Replace(c.mask(text)) }

// fence returns stored text as data: each of its lines begins with ">". Nothing else that this package sends does, so
// that a line break in the text begins nothing new.
func (c *Client) fence(text string) string { return safe.Quote(c.said(text)) }
