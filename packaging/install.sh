#!/bin/sh
# Installs ltm and ltm-server from a release: takes the archive for this system, verifies it, and puts programs,
# completions and manual pages below one directory. It changes nothing else; "--help" lists the options.
set -eu

usage() {
	cat <<-'END'
	usage: install.sh --from PLACE [--prefix DIR] [--sha256 SUM]

	  --from PLACE   where the release is: a URL, or the directory that "make release-snapshot" wrote
	  --prefix DIR   install below DIR (default ~/.local): programs go to DIR/bin
	  --sha256 SUM   the SHA-256 sum that checksums.txt must have; needed if this script comes through a pipe

	Every archive is checked against checksums.txt, which is taken from the same place. The sum of that file, from a
	place that you trust, makes sure that nobody changed both.
	END
}

fail() {
	echo "install.sh: $*" >&2
	exit 1
}

place='' prefix='' sum=''
while [ $# -gt 0 ]; do
	case $1 in
	--help | -h) usage; exit ;;
	--from | --prefix | --sha256)
		[ $# -ge 2 ] && [ -n "$2" ] || fail "$1 needs a value"
		case $1 in
		--from) place=${2%/} ;;
		--prefix) prefix=$2 ;;
		--sha256) sum=$2 ;;
		esac
		shift 2 ;;
	*) usage >&2; fail "unknown argument: $1" ;;
	esac
done
[ -n "$place" ] || { usage >&2; fail 'where is the release? Add --from'; }
[ -n "$prefix" ] || prefix=${HOME:?set HOME, or use --prefix}/.local
case $prefix in
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
prefix=${prefix%/}
case $sum in
*[!0-9a-f]*) fail "--sha256: $sum is not a sum of 64 digits and letters a to f" ;;
esac
[ -z "$sum" ] || [ ${#sum} -eq 64 ] || fail "--sha256: $sum has ${#sum} characters instead of 64"

# A shell that reads this script from a pipe is $0 itself, and whoever serves the script serves the archives, too.
case ${0##*/} in
*install*.sh) [ -f "$0" ] && piped='' || piped=yes ;;
*) piped=yes ;;
esac
[ -z "$piped" ] || [ -n "$sum" ] ||
	fail 'through a pipe, --sha256 is needed; or download this script and checksums.txt, read them, and run it'

case $place in
https://*) remote=yes ;;
http://127.0.0.1[:/]* | http://localhost[:/]* | 'http://[::1]'[:/]*) remote=yes ;;
http://*) remote=yes; [ -n "$sum" ] || fail 'over http, --sha256 is needed; or use https' ;;
*://*) fail "--from $place: use https, or a directory" ;;
*) remote=''; [ -d "$place" ] || fail "--from $place: there is no such directory" ;;
esac

case $(uname -s) in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) fail "there is no archive for $(uname -s); on Windows, unpack the zip file and put its programs into your PATH" ;;
esac
case $(uname -m) in
x86_64 | amd64) arch=amd64 ;;
aarch64 | arm64) arch=arm64 ;;
*) fail "there is no archive for a processor of kind $(uname -m)" ;;
esac

scratch=$(mktemp -d "${TMPDIR:-/tmp}/ltm-install.XXXXXX")
new='' # the file that is being installed
trap 'rm -rf -- "$scratch" ${new:+"$new"}' EXIT
trap 'exit 1' HUP INT TERM

# take NAME: bring one file of the release into $scratch.
take() {
	if [ -z "$remote" ]; then
		cp -- "$place/$1" "$scratch/$1" 2>/dev/null || fail "$place has no $1"
	elif command -v curl >/dev/null 2>&1; then
		curl -fsSL --proto '=https,http' --proto-redir '=https' -o "$scratch/$1" "$place/$1" || fail "cannot download $place/$1"
	elif command -v wget >/dev/null 2>&1; then
		wget -q -O "$scratch/$1" "$place/$1" || fail "cannot download $place/$1"
	else
		fail 'curl or wget is needed to download'
	fi
}

if command -v sha256sum >/dev/null 2>&1; then
	tool=sha256sum
elif command -v shasum >/dev/null 2>&1; then
	tool='shasum -a 256'
elif command -v openssl >/dev/null 2>&1; then
	tool='openssl dgst -sha256 -r'
else
	fail 'sha256sum, shasum or openssl is needed to verify'
fi

# digest FILE: print its SHA-256 sum.
digest() {
	$tool <"$1" | cut -c 1-64
}

take checksums.txt
if [ -n "$sum" ]; then
	found=$(digest "$scratch/checksums.txt")
	[ "$found" = "$sum" ] || fail "checksums.txt has the sum $found, not $sum: nothing was installed"
fi
# A name is a word of plain characters, so it can neither leave the directory nor be an option.
line=$(tr -d '\r' <"$scratch/checksums.txt" |
	grep -E "^[0-9a-f]{64}  ltm_[A-Za-z0-9.+~-]+_${os}_${arch}\.tar\.gz\$" || true)
case $line in
'') fail "checksums.txt lists no archive for $os/$arch" ;;
*"
"*) fail "checksums.txt lists several archives for $os/$arch" ;;
esac
name=${line#*  }
take "$name"
found=$(digest "$scratch/$name")
[ "$found" = "${line%% *}" ] || fail "$name has the sum $found, not ${line%% *}: nothing was installed"
mkdir "$scratch/unpacked" # of its own: a link in the archive cannot take the place of a file that is written here
tar -xzf "$scratch/$name" -C "$scratch/unpacked" || fail "$name cannot be unpacked: nothing was installed"
from=$scratch/unpacked/${name%.tar.gz}
for program in ltm ltm-server; do
	"$from/$program" version >"$scratch/version" || fail "$program of $name does not run here: nothing was installed"
done

# put FILE TARGET MODE: install a file; whoever runs the old one keeps it.
put() {
	new=$2.new
	mkdir -p -- "${2%/*}" && cp -- "$1" "$new" && chmod "$3" "$new" && mv -f -- "$new" "$2" ||
		fail "$2 could not be installed"
	new=''
}

for program in ltm ltm-server; do
	put "$from/$program" "$prefix/bin/$program" 755
	put "$from/completions/$program.bash" "$prefix/share/bash-completion/completions/$program" 644
	put "$from/completions/_$program" "$prefix/share/zsh/site-functions/_$program" 644
	put "$from/completions/$program.fish" "$prefix/share/fish/vendor_completions.d/$program.fish" 644
done
for page in "$from"/man/man1/*.1; do
	put "$page" "$prefix/share/man/man1/${page##*/}" 644
done

echo "verified $name and installed $(cat "$scratch/version" | sed 's/^ltm-server/version/'):"
echo "  $prefix/bin/ltm and ltm-server"
echo "  completions and manual pages below $prefix/share"
case :$PATH: in
*":$prefix/bin:"*) ;;
*) echo "Add $prefix/bin to your PATH." ;;
esac
echo 'Next, in a project: ltm init'
