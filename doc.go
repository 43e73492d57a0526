// Package idv is the Go client of an identity verification REST API.
package idv
