package report

import "fmt"

// Budget is what a piece of work may cost at most.
type Budget struct {
	Work  string
	Limit float64
	Got   float64
	Show  func(float64) string // how Limit and Got are written; nil means Ratio
}

// Kept says that it does.
func (b Budget) Kept() bool { return b.Got <= b.Limit }

// Budgets is the table of budgets, and how many are not kept.
func Budgets(text string, budgets []Budget) (Table, int) {
	t := Table{Title: "Budgets", Text: text, Head: []string{"work", "budget", "measured", "kept"}}
	broken := 0
	for _, b := range budgets {
		show, kept := b.Show, "pass"
		if show == nil {
			show = Ratio
		}
		if !b.Kept() {
			kept = "**fail**"
			broken++
		}
		t.Rows = append(t.Rows, []string{b.Work, "≤ " + show(b.Limit), show(b.Got), kept})
	}
	return t, broken
}

// Whole writes a count.
func Whole(v float64) string { return fmt.Sprintf("%.0f", v) }
