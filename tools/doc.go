// Package tools is empty: its module pins the programs that check the code, so that the root module does not carry them.
package tools
