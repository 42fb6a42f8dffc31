package command

import "slices"

// printers print, search, or move files and processes. That they fail says that
// something is not there, not that the workspace is broken.
var printers = &family{runs: []run{{programs: `
	ag awk b2sum base64 basename bat bc cal cat cd chgrp chmod chown clear cksum cmp colordiff column comm
	command cp
	csplit curl cut date dd delta df diff difft dig dir dirname dirs dmesg du echo ed egrep env exit expand expr
	eza fd fdfind false fgrep file find fmt fold free fzf gawk gh glab glow grep groups gunzip gzip head hexdump
	history host hostname htop http httpie iconv id ifconfig info ip jobs join jq journalctl kill killall last
	ldd less let ln local locate ls lsof lsb_release lscpu man mapfile md5sum mkdir mkfifo mktemp more mv nano
	nc netstat nl nm nohup nproc nslookup objdump od open paste patch pgrep ping pkill popd pr printenv printf
	ps pstree pushd pwd read readarray readelf readlink realpath return rev rg rm rmdir rsync screen sed seq
	sha1sum sha256sum sha512sum shift shuf sleep sort split ss ssh-keygen stat strings sum sync tac tail tar tee
	telnet test tmux top touch tput tr traceroute tree true truncate tsort tty type typeset uname unexpand uniq
	unlink unzip uptime vi view vim wait watch wc wget whatis whereis which who whoami xclip xdg-open xxd yes yq
	zcat zip zipinfo zless zstd [ [[ : declare readonly
`}}}

// xargsInput stands in a scope for the files that xargs is given.
const xargsInput = "<xargs>"

// xargs runs what its operands say; what is not a check only prints.
var xargs = &family{
	runs:       []run{{programs: "xargs"}},
	recognises: recognition{begin: (*registry).beginXargs},
}

func (r *registry) beginXargs(s *Step) bool {
	inner := operands(s.Args, "-n -P -I -L -d -a -s")
	s.Category = ""
	if len(inner) == 0 {
		return true
	}
	ran := r.step(r.unwrap(s.Args[slices.Index(s.Args, inner[0]):]).words)
	ran.Scope = append(ran.Scope, xargsInput)
	*s = ran
	return true
}

// givenAll says of steps that xargs gives them all files of their folder.
func givenAll(steps []Step) {
	for _, step := range steps {
		for i, path := range step.Scope {
			if path == xargsInput {
				step.Scope[i] = "."
			}
		}
	}
}
