#!/usr/bin/env bash
# The suite as one archive that needs nothing but the C library:  make_package.sh PROGRAM OUTPUT_FOLDER
# Leaves OUTPUT_FOLDER/plumbline-VERSION-linux-MACHINE and the same as .tar.gz; prints the archive's path.
set -euo pipefail
program=$(readlink -f -- "$1")
mkdir -p "$2"
output=$(readlink -f -- "$2")
cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.."

name=plumbline-$("$program" --version | cut -d' ' -f2)-linux-$(uname -m)
root=$output/$name
rm -rf "$root" "$root.tar.gz"
mkdir -p "$root"/{bin,lib,licences,adapters,coverage,share/plumbline/vectors}

cp "$program" "$root/bin/plumbline"
strip "$root/bin/plumbline"
# The libraries beside the C library, with their licences. The program looks for them in ../lib.
ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | while read -r library; do
  case "${library##*/}" in
    libc.so.* | libm.so.* | ld-linux*) continue ;;
  esac
  cp -L "$library" "$root/lib/"
  package=$({ dpkg-query -S "$library" || dpkg-query -S "$(readlink -f "$library")"; } 2>/dev/null | head -n 1 | cut -d: -f1)
  cp "/usr/share/doc/$package/copyright" "$root/licences/$package.txt"
done
# The headers that are compiled in: no library in lib/ stands for them.
for headers in libcli11-dev nlohmann-json3-dev libboost1.74-dev; do
  cp "/usr/share/doc/$headers/copyright" "$root/licences/$headers.txt"
done
cp LICENSE "$root/licences/plumbline.txt"

cp corpus/vectors/*.jsonl corpus/vectors/*.vec corpus/vectors/FORMAT.md "$root/share/plumbline/vectors/"
"$program" vectors export --vectors corpus/vectors --pack "$root/vectors.jsonl.gz" >/dev/null
cp conformance/{PROTOCOL,ADAPTERS,README}.md "$root/"
cp conformance/coverage/register.md "$root/coverage/"
for language in c rust go javascript python; do
  mkdir "$root/adapters/$language"
  find "conformance/adapters/$language" -maxdepth 1 -type f ! -name 'test_*' -exec cp {} "$root/adapters/$language/" \;
done
tar -C "$output" --sort=name --owner=0 --group=0 --numeric-owner -czf "$root.tar.gz" "$name"
echo "$root.tar.gz"
