// A program of somebody else's: it must compile against what the module exports, and nothing more.
module example.org/consumer

go 1.25.0

require example.com/idv v0.0.0

require (
	github.com/go-json-experiment/json v0.0.0-20251027170946-4849db3c2f7e // indirect
	github.com/google/go-querystring v1.2.0 // indirect
	github.com/hashicorp/go-cleanhttp v0.5.2 // indirect
	github.com/hashicorp/go-retryablehttp v0.7.8 // indirect
)

replace example.com/idv => ../../..
