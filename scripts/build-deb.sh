#!/bin/bash
# build-deb.sh [FOLDER [VERSION]]: builds the Debian package of an installed checkout (npm ci) into FOLDER (default: .)
# and prints its path. VERSION is that of package.json unless it is given. DEBFULLNAME and DEBEMAIL name who maintains it.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p "${1:-.}"
folder=$(realpath "${1:-.}")
version=${2:-$(node -p 'require("./package.json").version')}
architecture=$(dpkg --print-architecture)
parts=packaging/debian
maintainer="${DEBFULLNAME:-Pipit} <${DEBEMAIL:-pipit@pipit.invalid}>"

# A package made under a strict umask must be readable, too.
umask 022
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT
root=$work/pipit
lib=$root/usr/lib/pipit
doc=$root/usr/share/doc/pipit

# The compiled binding is the one of the checkout, for the same version of Node.
binding=node_modules/better-sqlite3/build/Release/better_sqlite3.node
mkdir -p "$lib"
cp -r package.json package-lock.json .npmrc dist examples "$lib"
(cd "$lib" && npm ci --omit=dev --ignore-scripts --no-audit --no-fund >/dev/null)
install -D "$binding" "$lib/$binding"

scripts/trim.sh "$lib"
rm -rf "$lib"/{package-lock.json,.npmrc,examples/github-actions.yml,examples/testing,node_modules/.bin,node_modules/.package-lock.json}
find "$lib" -type f -exec chmod 0644 {} +
find "$lib" -name '*.node' -exec strip --strip-unneeded {} +
chmod 0755 "$lib/dist/cli.js"

install -d "$root/usr/bin" "$doc/examples"
ln -s ../lib/pipit/dist/cli.js "$root/usr/bin/pipit"
install -D --mode=0755 "$parts/pipitctl" "$root/usr/sbin/pipitctl"
install -D --mode=0644 "$parts/pipit.env" "$root/etc/pipit/pipit.env"
install -D --mode=0644 packaging/systemd/pipit.service "$root/lib/systemd/system/pipit.service"
install -D --mode=0644 "$parts/lintian-overrides" "$root/usr/share/lintian/overrides/pipit"
install --mode=0644 packaging/systemd/secrets.conf packaging/caddy/Caddyfile "$doc/examples"
install --mode=0644 "$parts/copyright" "$doc/copyright"
gzip -9n <CHANGELOG.md >"$doc/NEWS.gz"
printf 'pipit (%s) unstable; urgency=medium\n\n  * The changes are in NEWS.gz.\n\n -- %s  %s\n' \
  "$version" "$maintainer" "$(date --rfc-email --date="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}")" | gzip -9n >"$doc/changelog.gz"
install -d "$root/usr/share/man/man1" "$root/usr/share/man/man8"
gzip -9n <"$parts/pipit.1" >"$root/usr/share/man/man1/pipit.1.gz"
ln -s ../man1/pipit.1.gz "$root/usr/share/man/man8/pipitctl.8.gz"

# The libraries that the bindings need, as dpkg-shlibdeps finds them beside a file debian/control. It does not find the
# one that sharp brings itself.
mkdir -p "$work/debian" && printf 'Source: pipit\n\nPackage: pipit\nArchitecture: any\n' >"$work/debian/control"
bindings=$(find "$lib" -name '*.node' ! -path '*musl*' ! -path '*@img*' -printf '-e%p ')
# shellcheck disable=SC2086 # one argument for each binding
libraries=$(cd "$work" && dpkg-shlibdeps -O --warnings=0 $bindings | sed 's/^shlibs:Depends=//')
node_major=$(node -p 'process.versions.node.split(".")[0]')

mkdir "$root/DEBIAN"
install --mode=0755 "$parts"/{postinst,prerm,postrm} "$root/DEBIAN"
echo /etc/pipit/pipit.env >"$root/DEBIAN/conffiles"
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
cat >"$root/DEBIAN/control" <<CONTROL
Package: pipit
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: nodejs (>= 20.19), nodejs (>= $node_major), nodejs (<< $((node_major + 1))~), adduser, $libraries
Section: web
Priority: optional
Description: short-message network with the interface of the X API v2
 Pipit serves the paths, parameters, bodies, errors and credentials of the
 X (Twitter) API v2 from a server of one's own: as a stand-in for tests, as an
 archive for research, or as a private network.
 .
 The package runs it as a service under a user of its own, over SQLite or
 PostgreSQL.
CONTROL

dpkg-deb --root-owner-group --build "$root" "$folder/pipit_${version}_$architecture.deb" >/dev/null
echo "$folder/pipit_${version}_$architecture.deb"
