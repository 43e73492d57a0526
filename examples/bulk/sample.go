package main

import (
	"encoding/csv"
	"fmt"
	"io"

	"example.com/idv"
)

// writeSample writes a file of n people of test mode, every tenth of them invalid.
func writeSample(out io.Writer, n int) error {
	w := csv.NewWriter(out)
	_ = w.Write([]string{ // errors stay in the writer
		referenceColumn, "name_first", "name_last", "birth_day", "birth_month", "birth_year", "document_type", "document_value",
		"address_street1", "address_city", "address_subdivision", "address_postal_code", "address_country_code",
	})
	for i := range n {
		document := idv.TestDocumentValid
		if i%10 == 9 {
			document = idv.TestDocumentInvalid
		}
		_ = w.Write([]string{
			fmt.Sprintf("customer-%05d", i+1), "Ada", fmt.Sprint("Sample", i+1), "10", "12", "1985", string(idv.DocumentSSN), document,
			"1 Analytical Way", "Springfield", "IL", "62701", "US",
		})
	}
	w.Flush()
	return w.Error()
}
