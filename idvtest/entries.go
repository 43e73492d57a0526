package idvtest

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// SanctionedEntry is an entry of the service's watchlists.
type SanctionedEntry struct {
	// ID is ent_ and 24 hex digits; it is made from List and Name when empty.
	ID string

	// List is the code of the list it is on, such as US_SDN.
	List string

	// EntryType is individual or entity.
	EntryType string

	Name           string
	AlternateNames []string

	// DateOfBirth is free text, as on real lists: 1940-8-11, 1953--, or empty for none. BirthYear, BirthMonth and BirthDay say it
	// in numbers, 0 for unknown.
	DateOfBirth                     string
	BirthYear, BirthMonth, BirthDay int

	Passport, SSN string

	Street, City, PostalCode, CountryCode string

	Title, Notes, URL string
}

// sanctioned are invented, all of them.
var sanctioned = []SanctionedEntry{
	{
		List: "US_SDN", EntryType: "individual", Name: "Zoltan Quillfeather",
		AlternateNames: []string{"Zoltan Kwilfeder", "Z. Quillfeather"},
		DateOfBirth:    "1940-8-11", BirthYear: 1940, BirthMonth: 8, BirthDay: 11, Passport: "QF0000777",
		Street: "1 Inkwell Row", City: "Port Vellum", PostalCode: "00001", CountryCode: "CU",
		Title: "Minister of Blots", Notes: "Invented for tests.", URL: "https://watchlists.example/us-sdn/quillfeather",
	},
	{
		List: "US_SDN", EntryType: "individual", Name: "Mirabel Oxenstaff", AlternateNames: []string{"Mirabelle Oxenstaf"},
		DateOfBirth: "1953--", BirthYear: 1953, SSN: "000556666", City: "Grimsby Hollow", CountryCode: "IR",
		Notes: "Invented for tests.",
	},
	{
		List: "EU_CON", EntryType: "individual", Name: "Zoltana Quillfeather",
		DateOfBirth: "1971-12-3", BirthYear: 1971, BirthMonth: 12, BirthDay: 3, CountryCode: "BY",
	},
	{
		List: "EU_CON", EntryType: "individual", Name: "Balthasar Nightingoat",
		AlternateNames: []string{"Balthazar Nightingoat"}, DateOfBirth: "circa 1960", BirthYear: 1960,
		Passport: "NG1234567", Title: "Colonel",
	},
	{List: "UN_CON", EntryType: "individual", Name: "Ysolde Grumblethorn"},
	{
		List: "US_SDN", EntryType: "entity", Name: "Umbrella Turnip Trading Company",
		AlternateNames: []string{"Umbrella Turnip Trading Co"}, Street: "9 Root Cellar Rd", City: "Turnipham", CountryCode: "KP",
	},
	{List: "EU_CON", EntryType: "entity", Name: "Quillfeather Maritime Holdings", CountryCode: "SY"},
}

// Sanctioned returns the entries of the service's watchlists, all of them invented: a candidate named Zoltan Quillfeather,
// born 1940-08-11, matches. WithSanctioned adds others.
func Sanctioned() []SanctionedEntry {
	entries := slices.Clone(sanctioned)
	for i := range entries {
		entries[i].ID = entries[i].id()
		entries[i].AlternateNames = slices.Clone(entries[i].AlternateNames)
	}
	return entries
}

// id is the same in every run, as that of a real list's entry.
func (e SanctionedEntry) id() string {
	if e.ID != "" {
		return e.ID
	}
	sum := sha256.Sum256([]byte(e.List + "\x00" + e.Name))
	return fmt.Sprintf("ent_%x", sum[:12])
}

// born is the date of birth in the form of a candidate's, or "" if it is not known in full.
func (e SanctionedEntry) born() string {
	if e.BirthYear == 0 || e.BirthMonth == 0 || e.BirthDay == 0 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", e.BirthYear, e.BirthMonth, e.BirthDay)
}

func watchlistNames(entries []SanctionedEntry) []string {
	names := []string{}
	for _, e := range entries {
		if !slices.Contains(names, e.List) {
			names = append(names, e.List)
		}
	}
	return names
}

// searchObject is a match as a search shows it.
func (m match) searchObject() object {
	o := object{{"id", m.entry.ID}, {"watchlist_name", m.entry.List}}
	o = append(o, m.common()...)
	return o.with("passport", orNull(m.entry.Passport)).with("ssn", orNull(m.entry.SSN))
}

// hitObject is a match as GET hits shows it, in a spelling of its own (observed, not in the written contract).
func (h *storedHit) hitObject() object {
	o := object{{"id", h.entry.ID}, {"livemode", h.live}, {"list", h.entry.List}}
	o = append(o, h.common()...)
	switch {
	case h.entry.Passport != "":
		return o.with("id_type", "passport").with("id_value", h.entry.Passport)
	case h.entry.SSN != "":
		return o.with("id_type", "ssn").with("id_value", h.entry.SSN)
	}
	return o.with("id_type", nil).with("id_value", nil)
}

// common are the members that both spellings share.
func (m match) common() object {
	e := m.entry
	return object{
		{"entry_type", e.EntryType}, {"matching_info", m.info}, {"confidence", percent(m.confidence)},
		{"url", orNull(e.URL)}, {"notes", orNull(e.Notes)}, {"title", orNull(e.Title)},
		{"name_full", e.Name}, {"alternate_names", strings.Join(e.AlternateNames, "; ")}, {"date_of_birth", orNull(e.DateOfBirth)},
		{"address_street1", orNull(e.Street)}, {"address_street2", nil}, {"address_city", orNull(e.City)}, {"address_state", nil},
		{"address_postal_code", orNull(e.PostalCode)}, {"address_country_code", orNull(e.CountryCode)}, {"address_raw", orNull(e.fullAddress())},
		{"names", e.names()}, {"births", e.births()}, {"documents", e.documents()}, {"addresses", e.addresses()},
	}
}

func (e SanctionedEntry) fullAddress() string {
	var parts []string
	for _, part := range []string{e.Street, e.City, e.PostalCode, e.CountryCode} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

func (e SanctionedEntry) names() []object {
	list := []object{{{"name_primary", true}, {"name_full", e.Name}, {"name_strength", "high"}}}
	for _, name := range e.AlternateNames {
		list = append(list, object{{"name_primary", false}, {"name_full", name}, {"name_strength", "low"}})
	}
	return list
}

func (e SanctionedEntry) births() []object {
	if e.BirthYear == 0 {
		return []object{}
	}
	return []object{{
		{"birth_day", knownNumber(e.BirthDay)}, {"birth_month", knownNumber(e.BirthMonth)}, {"birth_year", e.BirthYear},
		{"birth_day_end", nil}, {"birth_month_end", nil}, {"birth_year_end", nil},
	}}
}

func (e SanctionedEntry) documents() []object {
	list := []object{}
	for _, d := range []struct{ kind, number string }{{"passport", e.Passport}, {"ssn", e.SSN}} {
		if d.number != "" {
			list = append(list, object{
				{"document_type", d.kind}, {"document_value", d.number}, {"document_country_code", orNull(e.CountryCode)},
			})
		}
	}
	return list
}

func (e SanctionedEntry) addresses() []object {
	if e.fullAddress() == "" {
		return []object{}
	}
	return []object{{
		{"address_street1", orNull(e.Street)}, {"address_street2", nil}, {"address_city", orNull(e.City)}, {"address_state", nil},
		{"address_postal_code", orNull(e.PostalCode)}, {"address_country_code", orNull(e.CountryCode)},
		{"address_full", e.fullAddress()},
	}}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func knownNumber(n int) any {
	if n == 0 {
		return nil
	}
	return n
}
