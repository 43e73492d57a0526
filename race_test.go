//go:build race

package idv_test

func init() { onceDefault = 500 } // the race detector needs the sequences, not the rates
