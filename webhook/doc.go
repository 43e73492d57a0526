// Package webhook verifies and handles the signed webhooks that a hosted Flow sends about its sessions.
package webhook
