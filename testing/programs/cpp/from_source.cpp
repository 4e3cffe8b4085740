// The example of docs/guide/compile.md, which then prints its adapters.
#define main example
#include "sycl_from_source.cpp"
#undef main

#include "report.hpp"

int main() {
  const int code = example();
  tell_adapters();
  return code;
}
