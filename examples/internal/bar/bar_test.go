package bar

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestABarIsDrawnOverAndWiped(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	b := &Bar{w: &out, what: "people"}
	b.Show(0, 4)
	b.Show(1, 4)
	b.Show(1, 4) // nothing new: nothing drawn
	b.Show(4, 4)
	drawn := "[                              ]   0%  0 of 4 people|" +
		"[=======                       ]  25%  1 of 4 people|" +
		"[==============================] 100%  4 of 4 people"
	assert.Equal(t, drawn, strings.ReplaceAll(strings.TrimPrefix(out.String(), "\r"), "\r", "|"))

	out.Reset()
	b.Clear()
	b.Clear()
	assert.Equal(t, "\r"+strings.Repeat(" ", 52)+"\r", out.String())
}

func TestABarCountsWhatWasUnderestimated(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	b := &Bar{w: &out, what: "people"}
	b.Show(7, 5)
	b.Show(0, 0)
	assert.Equal(t, 2, strings.Count(out.String(), " 100% "))
}

func TestThereIsNoBarWithoutATerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	assert.Nil(t, New(file, "people"))
	assert.Nil(t, New(new(strings.Builder), "people"))
	var none *Bar
	none.Show(1, 2)
	none.Clear()
}

func TestThereIsABarOnACharacterDevice(t *testing.T) {
	t.Parallel()
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer device.Close()
	assert.NotNil(t, New(device, "people"))
}
