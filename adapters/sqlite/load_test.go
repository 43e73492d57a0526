package sqlite_test

import (
	"path/filepath"
	"testing"

	"example.com/idv/webhook/seentest"
)

func BenchmarkLoad(b *testing.B) { seentest.RunLoad(b, open(b, filepath.Join(b.TempDir(), "seen.db"))) }
