// Calls of oneMKL with arguments that are out of range, and what comes of them. Each library of oneMKL has a program of its own;
// ../arguments_check.py runs them.
#pragma once
#include "onemkl.hpp"
#include <cstring>
#include <cxxabi.h>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

namespace arguments {
using std::int64_t;
using Events = std::vector<sycl::event>;

/// An argument, a value with which the call is right, and others to try. Of an array, 0 is null and 1 its memory.
struct Argument {
    std::string name;
    int64_t right;
    std::vector<int64_t> tried;
};

/// Arguments that are tried together.
using Together = std::vector<std::vector<std::pair<std::string, int64_t>>>;

inline Together operator+(Together some, const Together &more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

/// The values of one call, by the arguments' names.
class Values {
    std::map<std::string, int64_t> values;

  public:
    void set(const std::string &name, int64_t value) { values[name] = value; }
    int64_t operator()(const std::string &name) const { return values.at(name); }
    /// As an enumerator.
    template <class E> E as(const std::string &name) const { return static_cast<E>(values.at(name)); }
};

/// The arrays of a call, which host and device reach.
class Memory {
    sycl::queue &queue;
    std::map<std::string, std::vector<unsigned char>> before;
    std::map<std::string, void *> arrays;

  public:
    static constexpr size_t bytes = 1 << 14;
    explicit Memory(sycl::queue &queue) : queue(queue) {}
    ~Memory() {
        for (auto &[name, array] : arrays) sycl::free(array, queue);
    }
    /// The array of this name.
    template <class T> T *of(const std::string &name) {
        auto &array = arrays[name];
        if (!array) array = sycl::aligned_alloc_shared(64, bytes, queue);
        return static_cast<T *>(array);
    }
    /// The array of this name, or null if its argument says so.
    template <class T> T *of(const std::string &name, const Values &values) { return values(name) ? of<T>(name) : nullptr; }
    void keep() {
        for (auto &[name, array] : arrays) {
            auto *first = static_cast<unsigned char *>(array);
            before[name].assign(first, first + bytes);
        }
    }
    /// The names of the arrays that differ from what was kept, and with `exact` a hash of their bytes.
    std::string written(bool exact) const {
        std::ostringstream text;
        for (auto &[name, array] : arrays) {
            auto *first = static_cast<const unsigned char *>(array);
            if (!std::memcmp(array, before.at(name).data(), bytes)) continue;
            text << (text.str().empty() ? "" : " ") << name;
            std::uint64_t hash = 0xcbf29ce484222325;
            for (size_t i = 0; i < bytes; ++i) hash = (hash ^ first[i]) * 0x100000001b3;
            if (exact) text << ':' << std::hex << std::setw(8) << std::setfill('0') << (hash >> 32) << std::dec;
        }
        return text.str().empty() ? "nothing" : text.str();
    }
};

struct Routine {
    std::string name;
    std::vector<Argument> arguments;
    Together together;
    /// Whether results have no rounding errors.
    bool exact = false;
    /// Whether arguments are tried two by two.
    bool pairs = true;
    /// Makes the arrays.
    std::function<void(Memory &, const Values &)> fill;
    std::function<sycl::event(sycl::queue &, Memory &, const Values &)> call;
};

inline std::string name_of(const std::type_info &type) {
    char *name = abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr);
    std::string text = name ? name : type.name();
    std::free(name);
    return text;
}

/// A class and those that it derives from, as a program may catch it by any of them.
inline std::string with_bases(const std::type_info &type) {
    auto text = name_of(type);
    if (auto *one = dynamic_cast<const abi::__si_class_type_info *>(&type)) return text + " < " + with_bases(*one->__base_type);
    if (auto *many = dynamic_cast<const abi::__vmi_class_type_info *>(&type)) {
        text += " < (";
        for (unsigned i = 0; i < many->__base_count; ++i) text += (i ? ", " : "") + with_bases(*many->__base_info[i].__base_type);
        text += ")";
    }
    return text;
}

inline std::string line_of(std::string text) {
    for (auto &c : text)
        if (c == '\n' || c == '\t') c = ' ';
    return text;
}

/// The classes that were thrown, and their bases.
inline std::map<std::string, std::string> &classes() {
    static std::map<std::string, std::string> all;
    return all;
}

/// An exception's class, its text, and what else oneMKL's have.
inline std::string told(const std::exception &error) {
    auto name = name_of(typeid(error));
    classes()[name] = with_bases(typeid(error));
    auto text = name + ": " + line_of(error.what());
    if (auto *more = dynamic_cast<const oneapi::mkl::lapack::exception *>(&error))
        text += " [info " + std::to_string(more->info()) + ", detail " + std::to_string(more->detail()) + "]";
    if (auto *batch = dynamic_cast<const oneapi::mkl::lapack::batch_error *>(&error)) {
        for (auto id : batch->ids()) text += " [id " + std::to_string(id) + "]";
        for (auto &one : batch->exceptions()) {
            try {
                std::rethrow_exception(one);
            } catch (const std::exception &inner) {
                text += " [" + told(inner) + "]";
            }
        }
    }
    return text;
}

/// Calls a routine, and prints: the routine, what is unusual, what was thrown and where, what was written.
inline void make(sycl::queue &queue, std::vector<std::string> &handled, const Routine &routine, const std::string &what, const Values &values) {
    Memory memory(queue);
    routine.fill(memory, values);
    queue.wait();
    memory.keep();
    std::cout << routine.name << '\t' << what << '\t' << std::flush;
    std::string outcome;
    try {
        auto event = routine.call(queue, memory, values);
        outcome = "returns";
        event.wait_and_throw();
        queue.wait_and_throw();
    } catch (const std::exception &error) {
        outcome += (outcome.empty() ? "throws " : ", its event throws ") + told(error);
        queue.wait();
    }
    for (auto &text : handled) outcome += ", the queue's handler gets " + text;
    handled.clear();
    std::cout << outcome << '\t' << memory.written(routine.exact) << std::endl;
}

inline std::string said(const std::pair<std::string, int64_t> &argument) {
    return argument.first + "=" + std::to_string(argument.second);
}

/// All calls of the routines: the right one, each argument by itself, and arguments together.
inline void make_all(sycl::queue &queue, std::vector<std::string> &handled, const Routine &routine) {
    Values right;
    for (auto &argument : routine.arguments) right.set(argument.name, argument.right);
    auto with = [&](const std::vector<std::pair<std::string, int64_t>> &changed) {
        Values values = right;
        std::string what;
        for (auto &one : changed) {
            values.set(one.first, one.second);
            what += (what.empty() ? "" : ",") + said(one);
        }
        make(queue, handled, routine, what.empty() ? "right" : what, values);
    };
    with({});
    auto &all = routine.arguments;
    for (size_t i = 0; i < all.size(); ++i) {
        for (auto value : all[i].tried) with({{all[i].name, value}});
        for (size_t j = i + 1; routine.pairs && j < all.size(); ++j)
            if (!all[i].tried.empty() && !all[j].tried.empty())
                with({{all[i].name, all[i].tried[0]}, {all[j].name, all[j].tried[0]}});
    }
    for (auto &changed : routine.together) with(changed);
}

inline int run(const std::vector<Routine> &routines) {
    std::vector<std::string> handled;
    auto handler = [&](sycl::exception_list errors) {
        for (auto &error : errors) {
            try {
                std::rethrow_exception(error);
            } catch (const std::exception &error) {
                handled.push_back(told(error));
            }
        }
    };
    sycl::queue queue{sycl::default_selector_v, handler};
    for (auto &routine : routines) make_all(queue, handled, routine);
    for (auto &[name, bases] : classes()) std::cout << name << "\tbases\t" << bases << "\t" << std::endl;
    return 0;
}
} // namespace arguments
