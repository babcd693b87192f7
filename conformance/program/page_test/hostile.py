"""An adapter whose every word tries to become a part of the page that reports it."""

import sys

TAKEN = "</script><script>window.taken=1</script><img src=x onerror=window.taken=1>"

for request in sys.stdin:
    if request.startswith("hello"):
        print("hello plumbline 1 name=<b>hostile</b> version=<img/src=x/onerror=window.taken=1> ops=decode "
              "modes=strict,lenient,permissive", flush=True)
        continue
    # Nothing of this is UTF-8.
    sys.stderr.buffer.write(b"\xff\xfe<b>\xc3</b>\x1b[31m ]]> \xed\xa0\x80" + TAKEN.encode() + b"\n")
    sys.stderr.buffer.flush()
    print(request.split(" ")[0], "accept full", TAKEN, flush=True)
