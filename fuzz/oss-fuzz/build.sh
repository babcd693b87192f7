#!/bin/bash -eu
# The convention of OSS-Fuzz and ClusterFuzzLite: $CC, $CXX, $CXXFLAGS and $LIB_FUZZING_ENGINE come
# from the service; every target goes to $OUT with its seeds, dictionary and options.
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=${WORK:-$(mktemp -d)}/plumbline
# The machines that run the targets have no MPFR of their own.
static=()
for library in MPFR GMP; do
  archive=$("$CXX" -print-file-name="lib${library,,}.a")
  if [ -f "$archive" ]; then static+=("-DPLUMBLINE_$library=$archive"); fi
done
cmake -G Ninja -S "$here" -B "$build" -DCMAKE_BUILD_TYPE=None -DPLUMBLINE_FUZZ=ON -DPLUMBLINE_TESTS=OFF \
  -DPLUMBLINE_INSTALL=OFF "${static[@]}" ${CMAKE_ARGUMENTS:-}
cmake --build "$build" --target plumbline_fuzz

targets=$(cat "$build/fuzz/targets.txt")
for line in $targets; do
  name=${line%%:*} format=${line##*:}
  cp "$build/fuzz/plumbline_fuzz" "$OUT/${name}_fuzz"
  python3 - "$here/corpus/fuzz/$format" "$OUT/${name}_fuzz_seed_corpus.zip" <<'END'
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as seeds:
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        seeds.write(path, path.name)
END
  cp "$here/fuzz/plumbline.dict" "$OUT/${name}_fuzz.dict"
  printf '[libfuzzer]\nmax_len = 4096\nrss_limit_mb = 1024\ntimeout = 10\n' >"$OUT/${name}_fuzz.options"
done
