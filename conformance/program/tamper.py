"""An adapter that is wrong on purpose: the reference, with the checks of some clauses taken out.

    tamper.py PLUMBLINE CLAUSE[,CLAUSE..]       their refusals become accepts
    tamper.py PLUMBLINE CLAUSE+1                their refusals are placed one byte too far
"""

import subprocess
import sys

program, clauses = sys.argv[1], sys.argv[2].split(",")
reference = subprocess.Popen([program, "adapter"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def answer(line):
    words = line.split(" ")
    if len(words) > 3 and words[1] == "reject":
        if words[3] in clauses:
            return words[0] + " accept full -"
        if words[3] + "+1" in clauses:
            words[4] = str(int(words[4]) + 1)
    return " ".join(words)


for request in sys.stdin:
    reference.stdin.write(request)
    reply = reference.stdout.readline().rstrip("\n")
    if request.startswith("hello"):
        reply = "hello plumbline 1 name=tampered version=1 ops=decode modes=strict,lenient,permissive"
    print(answer(reply), flush=True)
