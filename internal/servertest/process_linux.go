package servertest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
	"testing"
)

// dieWithParent has the kernel end a server whose test was killed.
func dieWithParent(command *exec.Cmd) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Pdeathsig = syscall.SIGKILL
}

// serverUser returns what makes a command run as the user postgres, whom dir is given to: nothing, unless this is root.
func serverUser(tb testing.TB, dir string) func(*exec.Cmd) {
	tb.Helper()
	if os.Geteuid() != 0 {
		return func(*exec.Cmd) {}
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		account, err = user.Lookup("nobody")
	}
	if err != nil {
		tb.Skip("servertest: PostgreSQL does not run as root, and there is no user postgres or nobody")
	}
	uid, gid := number(account.Uid), number(account.Gid)
	if err := os.Chown(dir, int(uid), int(gid)); err != nil {
		tb.Fatalf("servertest: %v", err)
	}
	return func(command *exec.Cmd) {
		command.Dir = dir
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
	}
}

func number(id string) uint32 {
	n, _ := strconv.ParseUint(id, 10, 32) // as the kernel knows it
	return uint32(n)
}
