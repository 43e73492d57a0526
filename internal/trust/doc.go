// Package trust holds no code: its tests prove what the module promises as a whole, over real connections and across
// packages, under faults, hostile input and load. What a package does on its own is tested beside it.
//
//	matrix_test.go      a request that is not a GET runs at most once, whatever happens to it; writes docs/reliability.md
//	reads_test.go       reads come through faults within their budget of retries
//	once_test.go        CreateOnce over HTTP, with an index that lags
//	canary_test.go      no key, no secret and no personal data in any text: every path
//	types_test.go       the same for every exported type, found by reading the sources
//	hostile_test.go     servers that send too much, too slowly or nonsense
//	fuzz_test.go        a server that changes its answers at random
//	shared_test.go      one client, verifier, receiver and service shared by many goroutines
//	soak_test.go        go test -run Soak -soak 3m: flat memory and connections
package trust
