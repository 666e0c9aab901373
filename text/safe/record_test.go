package safe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/text/safe"
)

func TestRecord(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"plain [text] ~/home ~5 ~~ a[0]": "plain [text] ~/home ~5 ~~ a[0]",
		"~EMOT:CRIT| x":                  "~ EMOT:CRIT| x",
		"a\n~ARCH:LOW| b\t\tc":           "a ~ ARCH:LOW| b c",
		"~~gone~~":                       "~~ gone~~",
		"～ＥＭＯＴ":                          "～ ＥＭＯＴ",
		"[LTM:a@b] [/LTM]":               "[ LTM:a@b] [ /LTM]",
		"[ltm] [ LTM] [LTX]":             "[ ltm] [ LTM] [LTX]",
		"［ＬＴＭ］":                          "［ ＬＴＭ］",
		"[\u200b/ʟᴛᴍ]":                   "[ /ʟᴛᴍ]",
		"</ltm-memory>":                  "&lt;/ltm-memory>",
	} {
		got := safe.Record(text)
		require.Equal(t, want, got, "%q", text)
		require.Equal(t, got, safe.Record(got), "%q", text)
	}
}
