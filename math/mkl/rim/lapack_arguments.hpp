// The exceptions that oneMKL's LAPACK throws for arguments that are out of range, and for matrices that it cannot
// factorize.
#pragma once
#include "arguments.hpp"
#include <initializer_list>

namespace {
/// The position of an argument (the queue's is 1), and whether its value is valid. It has a name if the function
/// reports names.
struct Argument {
    int place;
    bool is_right;
    const char *name = nullptr;
};

std::string text_of(const std::string &function, const std::string &why) { return "oneapi::mkl::lapack::" + function + ": " + why; }

/// Throws for the first invalid value.
void require(const std::string &function, std::initializer_list<Argument> arguments) {
    for (auto &argument : arguments) {
        if (argument.is_right) continue;
        auto which = "parameter " + std::to_string(argument.place);
        if (argument.name) which += std::string(" (aka '") + argument.name + "')";
        throw oneapi::mkl::lapack::invalid_argument(text_of(function, "invalid argument: On entry, " + which + " had an illegal value"),
                                                    -argument.place);
    }
}

/// Throws if matrices of a batch have failed, with their indices.
void throw_failures(const std::string &function, std::vector<int64_t> ids, std::vector<std::exception_ptr> exceptions) {
    if (ids.empty()) return;
    auto text = "batch error: " + std::to_string(ids.size()) + " batch calculations failed. Use ids() and exceptions() for the full list.";
    throw oneapi::mkl::lapack::batch_error(text_of(function, text), std::move(ids), std::move(exceptions));
}

/// Throws for the first invalid value, as a failure of each matrix in the function `single`.
void require_of_each(const char *function, const char *single, int64_t count, std::initializer_list<Argument> arguments) {
    std::vector<int64_t> ids;
    std::vector<std::exception_ptr> exceptions;
    for (int64_t id = 0; id < count; ++id) {
        try {
            require(single, arguments);
        } catch (const oneapi::mkl::lapack::invalid_argument &) {
            ids.push_back(id);
            exceptions.push_back(std::current_exception());
        }
    }
    throw_failures(function, std::move(ids), std::move(exceptions));
}
} // namespace
