// Package redact keeps personal data out of everything that is printed: fmt.Formatter covers every verb, %+v and %#v
// included, which fields are not safe from otherwise; slog.LogValuer covers slog.
package redact

import (
	"fmt"
	"io"
	"log/slog"
	"strconv"
)

// NotPrinted stands for a value that holds nothing but personal data.
const NotPrinted = "idv: not printed, it holds personal data"

// Private is embedded in what holds nothing but personal data.
type Private struct{}

// Format prints nothing of the value, whatever the verb.
func (Private) Format(f fmt.State, verb rune) { Write(f, verb, NotPrinted) }

// LogValue gives nothing of the value.
func (Private) LogValue() slog.Value { return slog.StringValue(NotPrinted) }

// Write prints text, in quotes where the verb asks for them.
func Write(f fmt.State, verb rune, text string) {
	if verb == 'q' {
		text = strconv.Quote(text)
	}
	_, _ = io.WriteString(f, text) // fmt has nowhere to report it
}
