// Reads the layout of a loader of Unified Runtime back from the loader itself; nothing is disassembled.
//
// Built twice. As a shared library (ADAPTER) it is an adapter whose slots are numbered stubs. As a program it loads the
// loader with that adapter, calls every exported function once, and tells which stub each call reached.
//
// getters.h has one GETTER(name) per urGet...ProcAddrTable that the loader exports, functions.h one FUNCTION(name) per other
// function. Both are written by probe.py from the loader's symbols.
//
// First run, without PROBE_TABLES: the adapter prints "table GETTER VERSION OFFSET" per getter, in the order of the calls,
// the offset in bytes from the first pointer. Second run, with PROBE_TABLES="GETTER:SLOTS,...": the adapter fills that many
// slots, and the program prints "slot FUNCTION GETTER INDEX" per function.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef ADAPTER

// The pipe of the process that called a stub.
enum { REPORT = 3, STUBS = 512 };

static const char *table_of[STUBS];
static int index_of[STUBS], stubs;

static uint32_t reached(int number) {
  char line[128];
  int length = snprintf(line, sizeof line, "%s %d", table_of[number], index_of[number]);
  _exit(write(REPORT, line, (size_t)length) == length ? 0 : 1);
}

#define STUB(n) \
  static uint32_t stub_##n(void) { return reached(n - 100); }
#define TEN(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9)
#define HUNDRED(m, n) \
  TEN(m, n##0) TEN(m, n##1) TEN(m, n##2) TEN(m, n##3) TEN(m, n##4) TEN(m, n##5) TEN(m, n##6) TEN(m, n##7) TEN(m, n##8) TEN(m, n##9)
#define ADDRESS(n) stub_##n,
HUNDRED(STUB, 1) HUNDRED(STUB, 2) HUNDRED(STUB, 3) HUNDRED(STUB, 4)
static uint32_t (*const STUB_LIST[])(void) = {HUNDRED(ADDRESS, 1) HUNDRED(ADDRESS, 2) HUNDRED(ADDRESS, 3) HUNDRED(ADDRESS, 4)};

static uint32_t fill(const char *getter, uint32_t version, void **table) {
  static char *first;
  if (!first) first = (char *)table;
  const char *tables = getenv("PROBE_TABLES");
  if (!tables) {
    printf("table %s %u %td\n", getter, version, (char *)table - first);
    fflush(stdout);
    return 0;
  }
  char key[128];
  snprintf(key, sizeof key, ",%s:", getter);
  const char *entry = strstr(tables, key);
  int slots = entry ? atoi(entry + strlen(key)) : 0;
  for (int i = 0; i < slots && stubs < (int)(sizeof STUB_LIST / sizeof *STUB_LIST); i++, stubs++) {
    table_of[stubs] = getter;
    index_of[stubs] = i;
    table[i] = (void *)STUB_LIST[stubs];
  }
  return 0;
}

#define GETTER(name) \
  uint32_t name(uint32_t version, void **table) { return fill(#name, version, table); }
#include "getters.h"

#else

#include <dlfcn.h>
#include <sys/wait.h>

static const char *const FUNCTIONS[] = {
#define FUNCTION(name) #name,
#include "functions.h"
};

int main(int count, char **arguments) {
  void *loader = count > 1 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  if (!loader) return fprintf(stderr, "usage: probe LOADER; %s\n", dlerror()), 2;
  uint32_t (*init)(uint32_t, void *) = (uint32_t(*)(uint32_t, void *))dlsym(loader, "urLoaderInit");
  if (!init || init(0, NULL)) return fprintf(stderr, "urLoaderInit failed\n"), 1;
  if (!getenv("PROBE_TABLES")) return 0;
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
    typedef uint32_t call(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);
    call *function = (call *)dlsym(loader, FUNCTIONS[i]);
    int ends[2];
    if (!function || pipe(ends)) continue;
    pid_t child = fork();
    if (child == 0) {
      dup2(ends[1], 3);
      // Room for a loader that looks behind its arguments: each points to zeros.
      static char zeros[16][4096];
      function(zeros[0], zeros[1], zeros[2], zeros[3], zeros[4], zeros[5], zeros[6], zeros[7], zeros[8], zeros[9], zeros[10],
               zeros[11], zeros[12], zeros[13]);
      _exit(0);
    }
    close(ends[1]);
    char line[128] = "";
    ssize_t length = read(ends[0], line, sizeof line - 1);
    close(ends[0]);
    waitpid(child, NULL, 0);
    if (length > 0) printf("slot %s %s\n", FUNCTIONS[i], line);
    else printf("none %s\n", FUNCTIONS[i]);
  }
  return 0;
}

#endif
