#!/bin/bash -eu
# ClusterFuzzLite looks here; what it does stands once.
exec bash "$SRC/plumbline/fuzz/oss-fuzz/build.sh"
