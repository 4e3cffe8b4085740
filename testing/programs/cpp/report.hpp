// A program as a list of steps: each prints lines, and what it throws is one of them.
#pragma once

#include <sycl/sycl.hpp>

#include <exception>
#include <iostream>
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
