// Products of sparse matrices with vectors and with dense matrices.
#include "arguments.hpp"
#include "sparse.hpp"

using namespace arguments;
using oneapi::mkl::index_base;
using oneapi::mkl::layout;
using oneapi::mkl::transpose;
namespace sparse = oneapi::mkl::sparse;

const std::vector<int64_t> sizes{-1, 0}, none{}, null{0};

template <class T> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<std::complex<T>> = true;

/// A handle, or null.
class Handle {
    sycl::queue &queue;

  public:
    sparse::matrix_handle *handle = nullptr;
    Handle(sycl::queue &queue, bool is_there) : queue(queue) {
        if (is_there) sparse::init_matrix_handle(&handle);
    }
    ~Handle() {
        if (handle) sparse::release_matrix_handle(queue, &handle, {}).wait();
    }
};

/// Numbers so small that sums of their products are exact in every type.
template <class T> void fill(Memory &memory, const char *name) {
    T *array = memory.of<T>(name);
    for (size_t i = 0; i < Memory::bytes / sizeof(T); ++i) {
        if constexpr (is_complex<T>) array[i] = T(i % 5 + 1, i % 3 + 1);
        else array[i] = T(i % 5 + 1);
    }
}

/// The matrix of 3 x 4 with 6 numbers, and none in its second row.
template <class I, class T> void fill_matrix(Memory &memory, int64_t base) {
    const int64_t starts[] = {0, 4, 4, 6}, columns[] = {0, 1, 2, 3, 1, 3};
    for (int i = 0; i < 4; ++i) memory.of<I>("starts")[i] = starts[i] + base;
    for (int i = 0; i < 6; ++i) memory.of<I>("columns")[i] = columns[i] + base;
    fill<T>(memory, "values");
}

template <class I, class T> sycl::event set(sycl::queue &q, sparse::matrix_handle *handle, Memory &m, const Values &v) {
    return sparse::set_csr_data(q, handle, v("rows"), v("cols"), v("count"), v.as<index_base>("base"), m.of<I>("starts", v),
                                m.of<I>("columns", v), m.of<T>("values", v), Events{});
}

const std::vector<Argument> matrix{{"rows", 3, sizes},   {"cols", 4, sizes},   {"count", 6, sizes},  {"base", 0, {1, 2}},
                                   {"starts", 1, null}, {"columns", 1, null}, {"values", 1, null}};

/// The same, with arguments that are all right.
std::vector<Argument> right_matrix() {
    auto all = matrix;
    for (auto &one : all) one.tried = none;
    return all;
}

std::vector<Argument> operator+(std::vector<Argument> some, const std::vector<Argument> &more) {
    some.insert(some.end(), more.begin(), more.end());
    return some;
}

/// Sets the matrix that a product multiplies, of these types or, with 2, of another. oneMKL does not see reliably that a handle has none.
template <class I, class T> void set_if(sycl::queue &q, sparse::matrix_handle *handle, Memory &m, const Values &v) {
    using Other = std::conditional_t<std::is_same_v<T, float>, double, float>;
    if (handle && v("set") == 1) set<I, T>(q, handle, m, v).wait();
    if (handle && v("set") == 2) set<I, Other>(q, handle, m, v).wait();
}

template <class I, class T> Routine set_csr_data(std::string types) {
    Routine r;
    r.name = "sparse::set_csr_data " + types;
    r.arguments = std::vector<Argument>{{"handle", 1, null}} + matrix;
    r.together = {{{"count", 0}, {"columns", 0}, {"values", 0}}, {{"rows", 0}, {"cols", 0}, {"count", 0}},
                  {{"rows", 0}, {"count", 0}, {"columns", 0}, {"values", 0}}};
    r.exact = true;
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &v) { fill_matrix<I, T>(m, v("base") == 1); };
    r.call = [](sycl::queue &q, Memory &m, const Values &v) {
        Handle handle(q, v("handle"));
        auto event = set<I, T>(q, handle.handle, m, v);
        event.wait();
        return event;
    };
    return r;
}

template <class I, class T> Routine gemv(std::string types) {
    Routine r;
    r.name = "sparse::gemv " + types;
    r.arguments = right_matrix() + std::vector<Argument>{{"set", 1, {2}}, {"trans", 0, {2}}, {"alpha", 1, {}}, {"handle", 1, null},
                                                         {"x", 1, null},     {"beta", 1, {}},   {"y", 1, null}};
    r.together = {{{"trans", 1}},
                  {{"trans", 3}},
                  {{"base", 1}},
                  {{"base", 1}, {"trans", 1}},
                  {{"alpha", 0}},
                  {{"beta", 0}},
                  {{"alpha", 0}, {"beta", 0}},
                  {{"alpha", 2}, {"beta", 3}},
                  {{"alpha", 2}, {"beta", 3}, {"trans", 3}},
                  {{"rows", 1}, {"count", 4}},
                  {{"rows", 1}, {"count", 4}, {"trans", 1}}};
    r.exact = true;
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &v) { fill_matrix<I, T>(m, v("base") == 1), fill<T>(m, "x"), fill<T>(m, "y"); };
    r.call = [](sycl::queue &q, Memory &m, const Values &v) {
        Handle handle(q, v("handle"));
        set_if<I, T>(q, handle.handle, m, v);
        auto event = sparse::gemv(q, v.as<transpose>("trans"), T(v("alpha")), handle.handle, m.of<T>("x", v), T(v("beta")),
                                  m.of<T>("y", v), Events{});
        event.wait();
        return event;
    };
    return r;
}

template <class I, class T> Routine gemm(std::string types, bool by_rows) {
    Routine r;
    r.name = std::string("sparse::gemm ") + (by_rows ? "by rows " : "by columns ") + types;
    // Y of 3 x 2 = A times X of 4 x 2.
    int64_t ldx = by_rows ? 2 : 4, ldy = by_rows ? 2 : 3;
    r.arguments = right_matrix() + std::vector<Argument>{{"set", 1, {2}}, {"layout", by_rows ? 0 : 1, {2}}, {"transa", 0, {2}}, {"transx", 0, {2}},
                                                         {"alpha", 1, {}}, {"handle", 1, null}, {"x", 1, null}, {"number", 2, sizes},
                                                         {"ldx", ldx, {ldx - 1, 0, -1}}, {"beta", 1, {}}, {"y", 1, null}, {"ldy", ldy, {ldy - 1, 0, -1}}};
    r.together = {{{"base", 1}},
                  {{"transa", 1}, {"ldx", 3}, {"ldy", 4}},
                  {{"transa", 3}, {"ldx", 3}, {"ldy", 4}},
                  {{"transa", 1}, {"ldx", by_rows ? 1 : 2}, {"ldy", 4}},
                  {{"transa", 1}, {"ldx", 3}, {"ldy", by_rows ? 1 : 3}},
                  {{"transx", 1}, {"ldx", by_rows ? 4 : 2}},
                  {{"transx", 3}, {"ldx", by_rows ? 4 : 2}},
                  {{"transx", 1}, {"ldx", by_rows ? 3 : 1}},
                  {{"transa", 1}, {"transx", 1}, {"ldx", 3}, {"ldy", 4}},
                  {{"transa", 3}, {"transx", 3}, {"ldx", 3}, {"ldy", 4}},
                  {{"ldx", 7}, {"ldy", 9}},
                  {{"alpha", 0}},
                  {{"beta", 0}},
                  {{"alpha", 2}, {"beta", 3}, {"ldx", 7}, {"ldy", 9}},
                  {{"number", 1}, {"ldx", by_rows ? 1 : 4}, {"ldy", by_rows ? 1 : 3}},
                  {{"number", 0}, {"ldx", 0}, {"ldy", 0}}};
    // Of complex numbers, some of oneMKL's zeros are negative.
    if (!is_complex<T>) r.together.push_back({{"alpha", 0}, {"beta", 0}, {"ldy", 9}});
    r.exact = true;
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &v) { fill_matrix<I, T>(m, v("base") == 1), fill<T>(m, "x"), fill<T>(m, "y"); };
    r.call = [](sycl::queue &q, Memory &m, const Values &v) {
        Handle handle(q, v("handle"));
        set_if<I, T>(q, handle.handle, m, v);
        auto event = sparse::gemm(q, v.as<layout>("layout"), v.as<transpose>("transa"), v.as<transpose>("transx"), T(v("alpha")),
                                  handle.handle, m.of<T>("x", v), v("number"), v("ldx"), T(v("beta")), m.of<T>("y", v), v("ldy"), Events{});
        event.wait();
        return event;
    };
    return r;
}

/// Calls that prepare a product.
Routine optimize(std::string name) {
    Routine r;
    r.name = "sparse::optimize_" + name;
    r.arguments = right_matrix() + std::vector<Argument>{{"set", 1, none}, {"layout", 0, {2}}, {"transa", 0, {1, 3, 2}}, {"transx", 0, {2}},
                                                         {"number", 2, sizes}, {"handle", 1, null}};
    r.fill = [](Memory &m, const Values &) { fill_matrix<int64_t, float>(m, 0); };
    r.call = [name](sycl::queue &q, Memory &m, const Values &v) {
        Handle handle(q, v("handle"));
        set_if<int64_t, float>(q, handle.handle, m, v);
        auto t = v.as<transpose>("transa");
        auto event = name == "gemv"   ? sparse::optimize_gemv(q, t, handle.handle, Events{})
                     : name == "gemm" ? sparse::optimize_gemm(q, t, handle.handle, Events{})
                                      : sparse::optimize_gemm(q, v.as<layout>("layout"), t, v.as<transpose>("transx"), handle.handle,
                                                              v("number"), Events{});
        event.wait();
        return event;
    };
    return r;
}

template <class I, class T> void add(std::vector<Routine> &routines, std::string types) {
    routines.push_back(set_csr_data<I, T>(types));
    routines.push_back(gemv<I, T>(types));
    routines.push_back(gemm<I, T>(types, true));
    routines.push_back(gemm<I, T>(types, false));
}

int main() {
    std::vector<Routine> routines;
    add<std::int64_t, float>(routines, "float");
    add<std::int64_t, double>(routines, "double");
    add<std::int64_t, std::complex<float>>(routines, "complex float");
    add<std::int64_t, std::complex<double>>(routines, "complex double");
    add<std::int32_t, float>(routines, "float of int32");
    add<std::int32_t, std::complex<double>>(routines, "complex double of int32");
    for (auto name : {"gemv", "gemm", "gemm of a size"}) routines.push_back(optimize(name));
    return run(routines);
}
