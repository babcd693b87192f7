/* A starting point in C: knows the fixed header and skips the rest. Put your reader where it says so.
     cc -std=c99 -O2 -o adapter adapter.c && plumbline run -- ./adapter */
#include "plumbline_adapter.h"

#include <stdint.h>

static uint32_t u32_at(const unsigned char *data, size_t at) {
  return data[at] | (uint32_t)data[at + 1] << 8 | (uint32_t)data[at + 2] << 16 | (uint32_t)data[at + 3] << 24;
}

static void refuse(const char *verdict, const char *clause, size_t offset, const char *why) {
  printf("reject %s %s %zu %s", verdict, clause, offset, why);
}

/* What the fixed header alone decides. */
static void decode(const unsigned char *data, size_t size) {
  static const unsigned char magic[4] = {0x48, 0x52, 0x52, 0x59};
  if (size < 4) {
    refuse("malformed", "HDR-09", 0, "the input ends inside the magic");
  } else if (memcmp(data, magic, 4) != 0) {
    refuse("malformed", "HDR-04", 0, "no magic 48525259");
  } else if (size < 5) {
    refuse("malformed", "HDR-09", 4, "the input ends before the version");
  } else if (data[4] != 1) {
    refuse("unsupported", data[4] > 1 ? "HDR-08" : "VER-02", 4, "another major version");
  } else if (size < 10) {
    refuse("malformed", "HDR-09", size < 6 ? 5 : 6, "the input ends before the length");
  } else if (u32_at(data, 6) < 20) {
    refuse("malformed", "HDR-06", 6, "a length below 20");
  } else if (size < u32_at(data, 6)) {
    refuse("malformed", "HDR-09", 6, "the input ends before the descriptor does");
  } else if (data[14] == 0x00 || data[14] == 0xff) {
    refuse("invalid", "ELT-01", 14, "no type tag");
  } else if (data[15] == 0x00 || data[15] == 0xff) {
    refuse("invalid", "LAY-02", 15, "no layout tag");
  } else if (u32_at(data, 16) > 64) {
    refuse("malformed", "SHP-02", 16, "a rank above 64");
  } else {
    printf("skip only the header is read"); /* <- your reader: "accept full -", or refuse(...) */
  }
}

static void answer(const plumbline_request *request) {
  static unsigned char data[PLUMBLINE_LONGEST_REQUEST / 2];
  if (strcmp(request->op, "decode") != 0) {
    printf("skip unknown");
    return;
  }
  /* words[0] is the mode: strict, lenient or permissive. */
  const long size = request->count == 2 ? plumbline_bytes(request->words[1], data) : -1;
  if (size < 0)
    printf("error request");
  else
    decode(data, (size_t)size);
}

int main(void) {
  return plumbline_serve("hello plumbline 1 name=c-start version=1 ops=decode modes=strict,lenient,permissive", answer);
}
