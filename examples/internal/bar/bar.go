// Package bar draws the progress bar of the example programs.
package bar

import (
	"fmt"
	"io"
	"os"
	"strings"
)

const width = 30

// Bar is one line on a terminal that is drawn over and over. A nil Bar draws nothing.
type Bar struct {
	w     io.Writer
	what  string
	drawn string
}

// New returns a bar on w that counts what, such as "people"; nil where w is no terminal, so that logs and files stay free of it.
func New(w io.Writer, what string) *Bar {
	f, ok := w.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	return &Bar{w: w, what: what}
}

// Show draws done of total.
func (b *Bar) Show(done, total int) {
	if b == nil {
		return
	}
	share := 1.0
	if total > 0 {
		share = min(1, float64(done)/float64(total))
	}
	full := int(share * width)
	line := fmt.Sprintf("[%s%s] %3d%%  %d of %d %s", strings.Repeat("=", full), strings.Repeat(" ", width-full), int(share*100), done, total, b.what)
	if line != b.drawn {
		fmt.Fprint(b.w, "\r", line)
		b.drawn = line
	}
}

// Clear wipes the bar, so that a line can be printed in its place.
func (b *Bar) Clear() {
	if b == nil || b.drawn == "" {
		return
	}
	fmt.Fprint(b.w, "\r", strings.Repeat(" ", len(b.drawn)), "\r")
	b.drawn = ""
}
