#!/bin/sh
# trim.sh FOLDER: removes from an installed, built Pipit what no run reads: the sources and the objects of compiled
# bindings, source maps, types, and the settings of the tools of packages.
set -eu
cd "$1"

binding=node_modules/better-sqlite3
mv "$binding/build/Release/better_sqlite3.node" "$binding/built.node"
rm -r "$binding/build" "$binding/deps" "$binding/src"
mkdir -p "$binding/build/Release"
mv "$binding/built.node" "$binding/build/Release/better_sqlite3.node"

find dist node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -delete
find node_modules -type f -name '.*' -delete
