//go:build race

package webhook_test

// raced: the race detector allocates on its own and makes a sync.Pool forget.
const raced = true
