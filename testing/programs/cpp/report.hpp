// A program as a list of steps: each prints lines, and what it throws is one of them.
#pragma once

#include <sycl/sycl.hpp>

#include <exception>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <utility>

// Prints one result.
template <class... Values> void say(const char *what, const Values &...values) {
  std::cout << "  " << what << ":";
  ((std::cout << " " << values), ...);
  std::cout << std::endl;
}

// Runs one step. Another step runs whatever this one throws.
template <class Body> void step(const char *name, Body &&body) {
  std::cout << name << std::endl;
  try {
    std::forward<Body>(body)();
  } catch (const sycl::exception &error) {
    std::cout << "  exception " << error.code() << ": " << error.what() << std::endl;
  } catch (const std::exception &error) {
    std::cout << "  exception: " << error.what() << std::endl;
  }
}

// Tells on stderr which files of adapters are loaded: that for OpenCL is libsycl itself in some releases.
inline void tell_adapters(const char *name = "libur_adapter_opencl") {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> files;
  for (std::string line; std::getline(maps, line);)
    if (line.find(name) != std::string::npos)
      files.insert(line.substr(line.find('/')));
  for (const std::string &file : files)
    std::cerr << "adapter " << file << std::endl;
}
