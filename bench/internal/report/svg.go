package report

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// panel is one column of ratios.
type panel struct {
	title string
	bars  []bar
}

type bar struct {
	name  string
	ratio float64
}

// Measures of the drawing, in pixels.
const (
	width     = 860
	labelEnd  = 300
	plotStart = 320
	plotEnd   = 790
	rowHeight = 18
	margin    = 20
)

// SVG draws the columns of ratios of the tables: a bar goes from the floor to the left where something is faster, to the right where
// it is slower. The axis is logarithmic.
func SVG(tables []Table) string {
	var body strings.Builder
	y := margin
	for _, p := range panels(tables) {
		y = p.draw(&body, y)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
<rect width="100%%" height="100%%" fill="#ffffff"/>
%s</svg>
`, width, y, width, y, body.String())
}

func panels(tables []Table) []panel {
	var all []panel
	for _, t := range tables {
		for column, head := range t.Head {
			if strings.HasPrefix(head, Times) {
				all = append(all, panel{title: t.Title + ": " + head, bars: t.bars(column)})
			}
		}
	}
	return all
}

// bars are the cells of a column that hold a number. A library that could not be measured has none.
func (t Table) bars(column int) []bar {
	var bars []bar
	for _, row := range t.Rows {
		if ratio, err := strconv.ParseFloat(row[column], 64); err == nil && ratio > 0 {
			bars = append(bars, bar{row[0], ratio})
		}
	}
	return bars
}

// draw returns where the next panel begins.
func (p panel) draw(b *strings.Builder, y int) int {
	scale := p.scale()
	floor := scale(1)
	y += rowHeight
	text(b, margin, y, "start", "bold", p.title)
	y += 8
	top := y
	for _, row := range p.bars {
		from, to := min(floor, scale(row.ratio)), max(floor, scale(row.ratio))
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
			from, y+3, max(to-from, 1), rowHeight-5, row.colour())
		text(b, labelEnd, y+rowHeight-5, "end", row.weight(), row.name)
		text(b, int(to)+6, y+rowHeight-5, "start", row.weight(), Ratio(row.ratio))
		y += rowHeight
	}
	fmt.Fprintf(b, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#333333\"/>\n", floor, top, floor, y)
	return y + margin
}

// scale puts the least and the greatest ratio of a panel at its ends.
func (p panel) scale() func(ratio float64) float64 {
	least, most := 0.8, 1.25
	for _, row := range p.bars {
		least, most = min(least, row.ratio), max(most, row.ratio)
	}
	return func(ratio float64) float64 {
		return plotStart + (plotEnd-plotStart)*(math.Log(ratio)-math.Log(least))/(math.Log(most)-math.Log(least))
	}
}

func (b bar) ours() bool { return strings.HasPrefix(b.name, "idv") }

func (b bar) colour() string {
	switch {
	case b.ours():
		return "#0a7d5a"
	case strings.HasPrefix(b.name, "floor"):
		return "#333333"
	}
	return "#b8c4ce"
}

func (b bar) weight() string {
	if b.ours() {
		return "bold"
	}
	return "normal"
}

func text(b *strings.Builder, x, y int, anchor, weight, s string) {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(s)) // a strings.Builder does not fail
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-weight=\"%s\">%s</text>\n", x, y, anchor, weight, escaped.String())
}
