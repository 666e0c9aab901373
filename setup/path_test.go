package setup_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"ltm/setup"
)

func TestSamePath(t *testing.T) {
	for _, tt := range []struct {
		a, b           string
		windows, other bool
	}{
		{"/home/x/p", "/home/x/p", true, true},
		{"/home/x/p", "/home/X/p", true, false},
		{"/home/x/p/", "/home/x/p", true, false},
		{`c:\Users\x\p`, "C:/Users/x/p", true, false},
		{`C:\Users\X\p\`, "c:/users/x/p", true, false},
		{`\\host\share\p`, "//host/share/p", true, false},
		{`C:\`, "C:", true, false},
		{"C:/Users/x/p", "D:/Users/x/p", false, false},
		{"C:/Users/x/p", "C:/Users/x", false, false},
		{"C:/é", "c:/É", true, false},
		{"", "/", true, false},
	} {
		t.Run(tt.a+" and "+tt.b, func(t *testing.T) {
			require.Equal(t, tt.windows, setup.SamePath(tt.a, tt.b, true), "Windows")
			require.Equal(t, tt.windows, setup.SamePath(tt.b, tt.a, true), "Windows")
			require.Equal(t, tt.other, setup.SamePath(tt.a, tt.b, false), "elsewhere")
		})
	}
}
