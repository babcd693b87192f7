//! A starting point in Rust, without crates: knows the fixed header and skips the rest
//! (conformance/PROTOCOL.md). Put your reader where it says so.
//!   rustc --edition 2021 -O -o adapter adapter.rs && plumbline run -- ./adapter
use std::io::{self, BufRead, Write};

const HELLO: &str =
    "hello plumbline 1 name=rust-start version=1 ops=decode modes=strict,lenient,permissive";

/// The bytes of a hex word; `-` is none.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    if hex == "-" {
        return Some(Vec::new());
    }
    let digits: Option<Vec<u8>> =
        hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect();
    let digits = digits?;
    if digits.len() % 2 != 0 {
        return None;
    }
    Some(digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect())
}

fn u32_at(data: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([data[at], data[at + 1], data[at + 2], data[at + 3]])
}

/// What the fixed header alone decides.
fn decode(data: &[u8]) -> String {
    let refuse = |verdict: &str, clause: &str, offset: usize, why: &str| {
        format!("reject {} {} {} {}", verdict, clause, offset, why)
    };
    if data.len() < 4 {
        return refuse("malformed", "HDR-09", 0, "the input ends inside the magic");
    }
    if data[..4] != [0x48, 0x52, 0x52, 0x59] {
        return refuse("malformed", "HDR-04", 0, "no magic 48525259");
    }
    if data.len() < 5 {
        return refuse("malformed", "HDR-09", 4, "the input ends before the version");
    }
    if data[4] != 1 {
        let clause = if data[4] > 1 { "HDR-08" } else { "VER-02" };
        return refuse("unsupported", clause, 4, "another major version");
    }
    if data.len() < 10 {
        let offset = if data.len() < 6 { 5 } else { 6 };
        return refuse("malformed", "HDR-09", offset, "the input ends before the length");
    }
    let length = u32_at(data, 6);
    if length < 20 {
        return refuse("malformed", "HDR-06", 6, "a length below 20");
    }
    if (data.len() as u64) < u64::from(length) {
        return refuse("malformed", "HDR-09", 6, "the input ends before the descriptor does");
    }
    if data[14] == 0x00 || data[14] == 0xff {
        return refuse("invalid", "ELT-01", 14, "no type tag");
    }
    if data[15] == 0x00 || data[15] == 0xff {
        return refuse("invalid", "LAY-02", 15, "no layout tag");
    }
    if u32_at(data, 16) > 64 {
        return refuse("malformed", "SHP-02", 16, "a rank above 64");
    }
    "skip only the header is read".to_string() // <- your reader: "accept full -", or refuse(..)
}

fn reply(line: &str) -> String {
    if line.starts_with("hello ") {
        return HELLO.to_string();
    }
    let words: Vec<&str> = line.split(' ').collect();
    let id = words[0];
    match words[1..] {
        // The mode is strict, lenient or permissive.
        ["decode", _mode, hex] => match bytes(hex) {
            Some(data) => format!("{} {}", id, decode(&data)),
            None => format!("{} error request", id),
        },
        ["decode", ..] | [] => format!("{} error request", id),
        _ => format!("{} skip unknown", id),
    }
}

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        writeln!(output, "{}", reply(line?.trim_end_matches('\r')))?;
        output.flush()?;
    }
    Ok(())
}
