package main

import (
	"runtime/debug"
	"strings"
)

// compared are the modules of the libraries in the tables, and that which package idv sends with.
func compared() []string {
	return []string{
		"github.com/stripe/stripe-go", "github.com/google/go-github", "github.com/hetznercloud/hcloud-go",
		"github.com/digitalocean/godo", "gitlab.com/gitlab-org/api/client-go", "github.com/openai/openai-go",
		"github.com/svix/svix-webhooks", "github.com/standard-webhooks/standard-webhooks/libraries", "github.com/slack-go/slack",
		"github.com/PaddleHQ/paddle-go-sdk", "github.com/go-fed/httpsig", "github.com/hashicorp/go-retryablehttp",
		"github.com/go-json-experiment/json",
	}
}

// versions names the libraries as they were linked into this program.
func versions() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown versions"
	}
	var named []string
	for _, path := range compared() {
		for _, m := range info.Deps {
			if m.Path == path || strings.HasPrefix(m.Path, path+"/v") {
				named = append(named, strings.TrimPrefix(path, "github.com/")+" "+m.Version)
			}
		}
	}
	return strings.Join(named, ", ")
}
