"""Runs the kernels' tests on a machine with AVX-512 that Bochs emulates. A quarter of an hour.

    emulate.py DIRECTORY    with the programs init, kernels_check and plumbline-targets

Needs the Debian packages bochs, bochs-term, bochsbios, vgabios, isolinux, syslinux-common and xorriso,
and a Linux kernel: PLUMBLINE_LINUX_KERNEL, or the newest of /boot. Says "skipped: " and why where
something is missing. No emulator of Debian's knows the bf16 dot instruction.
"""

import glob
import gzip
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import time

LIMIT = 3600  # seconds
END = "end of the emulated run"
# Bochs 2.7 rounds a double product before it adds it in a fused multiply-add. What needs the exact one
# has other bits there, on every target alike: the comparison with the reference holds, the committed
# hash does not.
DOUBLE_FMA = {"df64_mul", "df64_div", "df64_sqrt", "df64_axpy", "df64_dot", "df64_einsum",
              "df64_einsum_derivatives", "df64_qr", "df64_qr_derivatives"}


def skip(why):
    print("skipped:", why)
    sys.exit(0)


def needed():
    for program in "bochs", "xorriso":
        if not shutil.which(program):
            skip(f"no {program}")
    files = ["/usr/lib/ISOLINUX/isolinux.bin", "/usr/lib/syslinux/modules/bios/ldlinux.c32",
             "/usr/share/bochs/BIOS-bochs-latest"]
    for file in files:
        if not os.path.exists(file):
            skip(f"no {file}")
    kernels = sorted(glob.glob("/boot/vmlinuz-*"))
    kernel = os.environ.get("PLUMBLINE_LINUX_KERNEL") or (kernels[-1] if kernels else "")
    if not os.path.exists(kernel):
        skip("no Linux kernel: unpack one (apt-get download, dpkg -x of the package that "
             "linux-image-cloud-amd64 depends on) and name its vmlinuz in PLUMBLINE_LINUX_KERNEL")
    return kernel, files[:2]


def archive(files, directories):
    """An initramfs: cpio in its "newc" form."""
    out = bytearray()

    def put(name, mode, content=b""):
        fields = [0, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0]
        out.extend(b"070701" + b"".join(b"%08X" % f for f in fields) + name.encode() + b"\0")
        out.extend(bytes(-len(out) % 4))
        out.extend(content)
        out.extend(bytes(-len(out) % 4))

    for name in directories:
        put(name, 0o040755)
    for name, path in files.items():
        put(name, 0o100755, pathlib.Path(path).read_bytes())
    put("TRAILER!!!", 0)
    return gzip.compress(bytes(out), 1)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    kernel, boot_files = needed()
    source = pathlib.Path(__file__).resolve().parents[2]
    disk = build / "disk" / "isolinux"
    disk.mkdir(parents=True, exist_ok=True)
    for file in boot_files:
        shutil.copy(file, disk)
    shutil.copy(kernel, disk / "vmlinuz")
    files = {name: build / name for name in ("init", "kernels_check", "plumbline-targets")}
    files["kernels/output_hashes.tsv"] = source / "kernels/output_hashes.tsv"
    (disk / "initrd").write_bytes(archive(files, ("dev", "proc", "kernels")))
    (disk / "isolinux.cfg").write_text(
        "default linux\nprompt 0\ntimeout 1\nlabel linux\n  kernel vmlinuz\n"
        "  append initrd=initrd console=ttyS0,115200 quiet panic=-1 cryptomgr.notests nokaslr mitigations=off "
        # What this machine gets wrong: the size of the compacted state of its vector registers.
        "tsc=reliable lpj=1000000 nosmp acpi=off noapic nolapic nopku clearcpuid=xsaves,xsavec\n")
    image, serial = build / "disk.iso", build / "serial.log"
    subprocess.run(["xorriso", "-as", "mkisofs", "-quiet", "-o", image, "-b", "isolinux/isolinux.bin", "-c",
                    "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4", "-boot-info-table",
                    disk.parent], check=True)
    serial.write_text("")
    (build / "bochsrc").write_text(f"""
cpu: model=corei7_skylake_x, count=1, ips=20000000, reset_on_triple_fault=0
memory: guest=256, host=256
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
vga: extension=vbe, update_freq=1
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path={image}, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev={serial}
clock: sync=none
plugin_ctrl: speaker=0
panic: action=fatal
error: action=ignore
info: action=ignore
debug: action=ignore
log: {build}/bochs.log
display_library: term
""")
    (build / "debugger").write_text("c\n")  # Debian's Bochs begins in its debugger
    begin = time.monotonic()
    # Bochs wants a terminal to draw on; nobody looks at it.
    controller, terminal = pty.openpty()
    machine = subprocess.Popen(["bochs", "-q", "-f", build / "bochsrc", "-rc", build / "debugger"], stdin=terminal, stdout=terminal,
                               stderr=terminal, env=os.environ | {"TERM": "linux"})
    try:
        while machine.poll() is None and time.monotonic() - begin < LIMIT:
            if END in serial.read_text(errors="replace"):
                break
            if select.select([controller], [], [], 1)[0]:
                os.read(controller, 1 << 16)
                time.sleep(0.1)
    finally:
        machine.kill()
    said = re.sub(r"\x1b\[[0-9;]*m|\r", "", serial.read_text(errors="replace"))
    print(said)
    print(f"{time.monotonic() - begin:.0f} s")
    if not re.search(r"^avx512 +in use", said, re.M):
        sys.exit("the emulated machine did not use AVX-512")
    if "/kernels_check: ended" not in said or END not in said:
        sys.exit("the kernels' tests did not end")
    sys.exit(judged(said))


def judged(said):
    """What failed beyond what the emulator explains, or None."""
    if "All tests passed" in said:
        return None
    totals = re.search(r"assertions: +(\d+) \| +(\d+) passed \| +(\d+) failed", said)
    if not totals:
        return "the kernels' tests gave no result"
    hashes = {}
    for got, kernel in re.findall(
            r'CHECK\( hash\.text\(\) == committed_hash\(kernel\) \)\nwith expansion:\n +"(\w+)" == "\w+"\n'
            r'with messages?:\n(?:  (?!kernel).*\n)*  kernel := "(\w+)"', said):
        hashes.setdefault(kernel, []).append(got)
    explained = sum(len(got) for got in hashes.values())
    if int(totals[3]) != explained:
        return f"{totals[3]} assertions failed, {explained} of them comparisons of hashes"
    for kernel, got in hashes.items():
        if kernel not in DOUBLE_FMA or len(set(got)) != 1 or len(got) != said.count(" available\n") + 1:
            return f"{kernel}: the hash differs from the committed one, or from target to target"
    print(f"the emulator's own multiply-adds of doubles: one hash on all targets, but not the committed one, of "
          f"{', '.join(sorted(hashes))}")
    return None


main()
