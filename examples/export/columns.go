package main

import (
	"fmt"
	"strings"
)

// columns are the members of the contract, in its order.
var columns = map[string][]string{
	"people": {
		"id", "created_at", "updated_at", "status", "livemode",
		"phone_number", "ip_address", "birth_day", "birth_month", "birth_year", "name_first", "name_middle", "name_last",
		"address_street1", "address_street2", "address_city", "address_subdivision", "address_postal_code", "address_country_code",
		"document_type", "document_value", "note",
		"details.address", "details.address_risk", "details.identification", "details.date_of_birth", "details.ofac", "details.pep",
		"question_sets",
	},
	"candidates": {
		"id", "created_at", "updated_at", "livemode", "deleted", "note", "ssn", "passport", "date_of_birth",
		"name_first", "name_middle", "name_last",
		"address_street1", "address_street2", "address_city", "address_subdivision", "address_postal_code", "address_country_code",
	},
}

// cell is the text of a member, or of a member of a member.
func cell(members map[string]any, column string) string {
	name, inner, nested := strings.Cut(column, ".")
	switch v := members[name].(type) {
	case nil:
		return ""
	case map[string]any:
		if nested {
			return cell(v, inner)
		}
		return ""
	case []any:
		texts := make([]string, len(v))
		for i := range v {
			texts[i] = fmt.Sprint(v[i])
		}
		return strings.Join(texts, ";")
	default:
		return fmt.Sprint(v)
	}
}

// guarded is the text with an apostrophe before it where a spreadsheet would take it for a formula.
func guarded(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
