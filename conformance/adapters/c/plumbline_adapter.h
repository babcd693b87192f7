/* The adapter protocol for C99 (conformance/PROTOCOL.md): framing, hello and hex. Standard library alone.
   Copy this file beside your adapter, write one function and call plumbline_serve: see adapter.c. */
#ifndef PLUMBLINE_ADAPTER_H
#define PLUMBLINE_ADAPTER_H

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PLUMBLINE_LONGEST_REQUEST = 1 << 20, PLUMBLINE_MOST_WORDS = 256 };

typedef struct {
  const char *id, *op;
  const char *words[PLUMBLINE_MOST_WORDS]; /* what follows the operation */
  size_t count;
} plumbline_request;

/* Writes the reply behind the id with printf, without the line's end. */
typedef void (*plumbline_answer)(const plumbline_request *request);

static int plumbline_digit(char c) {
  const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + 32 : c) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* The bytes of a hex word ("-" is none), or -1. `out` has room for half of the word. */
static long plumbline_bytes(const char *hex, unsigned char *out) {
  long n = 0;
  if (strcmp(hex, "-") == 0) return 0;
  for (; *hex; hex += 2, ++n) {
    const int high = plumbline_digit(hex[0]), low = high < 0 ? -1 : plumbline_digit(hex[1]);
    if (low < 0) return -1;
    out[n] = (unsigned char)(high * 16 + low);
  }
  return n;
}

/* Answers until the input ends; returns the exit status. */
static int plumbline_serve(const char *hello, plumbline_answer answer) {
  static char line[PLUMBLINE_LONGEST_REQUEST + 64];
  while (fgets(line, sizeof line, stdin)) {
    size_t length = strcspn(line, "\r\n");
    const int whole = line[length] != '\0';
    for (int c = whole ? '\n' : 'x'; c != '\n' && c != EOF;) c = getchar(); /* too long: drop the rest */
    line[length] = '\0';
    if (strncmp(line, "hello ", 6) == 0) {
      printf("%s\n", hello);
    } else {
      plumbline_request request = {"0", NULL, {NULL}, 0};
      char *word = strtok(line, " ");
      if (word) request.id = word;
      request.op = strtok(NULL, " ");
      while (request.count < PLUMBLINE_MOST_WORDS && (word = strtok(NULL, " "))) request.words[request.count++] = word;
      printf("%s ", request.id);
      if (whole && request.op)
        answer(&request);
      else
        printf("error request");
      putchar('\n');
    }
    fflush(stdout);
  }
  return 0;
}

#endif
