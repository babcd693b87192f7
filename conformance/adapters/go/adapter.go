// A starting point in Go, standard library alone: knows the fixed header and skips the rest
// (conformance/PROTOCOL.md). Put your reader where it says so.
//
//	go build -o adapter adapter.go && plumbline run -- ./adapter
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
)

const hello = "hello plumbline 1 name=go-start version=1 ops=decode modes=strict,lenient,permissive"

func refuse(verdict, clause string, offset int, why string) string {
	return fmt.Sprintf("reject %s %s %d %s", verdict, clause, offset, why)
}

// decode says what the fixed header alone decides.
func decode(data []byte) string {
	if len(data) < 4 {
		return refuse("malformed", "HDR-09", 0, "the input ends inside the magic")
	}
	if string(data[:4]) != "\x48\x52\x52\x59" {
		return refuse("malformed", "HDR-04", 0, "no magic 48525259")
	}
	if len(data) < 5 {
		return refuse("malformed", "HDR-09", 4, "the input ends before the version")
	}
	if data[4] > 1 {
		return refuse("unsupported", "HDR-08", 4, "a newer major version")
	}
	if data[4] < 1 {
		return refuse("unsupported", "VER-02", 4, "an older major version")
	}
	if len(data) < 6 {
		return refuse("malformed", "HDR-09", 5, "the input ends before the minor version")
	}
	if len(data) < 10 {
		return refuse("malformed", "HDR-09", 6, "the input ends before the length")
	}
	length := binary.LittleEndian.Uint32(data[6:])
	if length < 20 {
		return refuse("malformed", "HDR-06", 6, "a length below 20")
	}
	if uint64(len(data)) < uint64(length) {
		return refuse("malformed", "HDR-09", 6, "the input ends before the descriptor does")
	}
	if data[14] == 0x00 || data[14] == 0xff {
		return refuse("invalid", "ELT-01", 14, "no type tag")
	}
	if data[15] == 0x00 || data[15] == 0xff {
		return refuse("invalid", "LAY-02", 15, "no layout tag")
	}
	if binary.LittleEndian.Uint32(data[16:]) > 64 {
		return refuse("malformed", "SHP-02", 16, "a rank above 64")
	}
	return "skip only the header is read" // <- your reader: "accept full -", or refuse(..)
}

func reply(line string) string {
	if strings.HasPrefix(line, "hello ") {
		return hello
	}
	words := strings.Split(line, " ")
	if len(words) < 2 {
		return words[0] + " error request"
	}
	if words[1] != "decode" {
		return words[0] + " skip unknown"
	}
	if len(words) != 4 { // words[2] is the mode: strict, lenient or permissive
		return words[0] + " error request"
	}
	data, err := hex.DecodeString(strings.TrimPrefix(words[3], "-"))
	if err != nil {
		return words[0] + " error request"
	}
	return words[0] + " " + decode(data)
}

func main() {
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadString('\n')
		if err != nil {
			return // the end of the input
		}
		fmt.Println(reply(strings.TrimRight(line, "\r\n")))
	}
}
