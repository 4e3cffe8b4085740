// BLAS: products of matrices and vectors.
#include "arguments.hpp"

namespace oneapi::mkl::blas {
template <class T> using S = value_or_pointer<T>;
using Events = std::vector<sycl::event>;
using std::int64_t;
#define DECLARE_GEMM(A, C, T)                                                                                                              \
    sycl::event gemm(sycl::queue &, transpose, transpose, int64_t, int64_t, int64_t, S<T>, const A *, int64_t, const A *, int64_t, \
                     S<T>, C *, int64_t, compute_mode, const Events &);                                                            \
    sycl::event gemm_batch(sycl::queue &, transpose, transpose, int64_t, int64_t, int64_t, S<T>, const A *, int64_t, int64_t,      \
                           const A *, int64_t, int64_t, S<T>, C *, int64_t, int64_t, int64_t, compute_mode, const Events &);       \
    sycl::event gemm_batch(sycl::queue &, const transpose *, const transpose *, const int64_t *, const int64_t *, const int64_t *, \
                           const T *, const A **, const int64_t *, const A **, const int64_t *, const T *, C **, const int64_t *,  \
                           int64_t, const int64_t *, compute_mode, const Events &);
#define DECLARE_OTHERS(T)                                                                                                                \
    sycl::event gemv(sycl::queue &, transpose, int64_t, int64_t, S<T>, const T *, int64_t, const T *, int64_t, S<T>, T *, int64_t, \
                     const Events &);                                                                                              \
    sycl::event syrk(sycl::queue &, uplo, transpose, int64_t, int64_t, S<T>, const T *, int64_t, S<T>, T *, int64_t, compute_mode, \
                     const Events &);                                                                                              \
    sycl::event trsm_batch(sycl::queue &, side, uplo, transpose, diag, int64_t, int64_t, S<T>, const T *, int64_t, int64_t, T *,   \
                           int64_t, int64_t, int64_t, compute_mode, const Events &);                                               \
    sycl::event scal(sycl::queue &, int64_t, S<T>, T *, int64_t, const Events &);
#define DECLARE_DOT(NAME, T) sycl::event NAME(sycl::queue &, int64_t, const T *, int64_t, const T *, int64_t, T *, const Events &);
#define ALL                                                                                                                        \
    DECLARE_GEMM(float, float, float) DECLARE_GEMM(double, double, double) DECLARE_GEMM(std::complex<float>, std::complex<float>, std::complex<float>)     \
    DECLARE_GEMM(std::complex<double>, std::complex<double>, std::complex<double>) DECLARE_GEMM(sycl::half, sycl::half, sycl::half)                \
    DECLARE_GEMM(sycl::half, float, float) DECLARE_GEMM(std::int8_t, float, float) DECLARE_GEMM(std::int8_t, std::int32_t, float)                          \
    DECLARE_OTHERS(float) DECLARE_OTHERS(double) DECLARE_OTHERS(std::complex<float>) DECLARE_OTHERS(std::complex<double>)
namespace column_major {
ALL
DECLARE_DOT(dot, float) DECLARE_DOT(dot, double) DECLARE_DOT(dotu, std::complex<float>) DECLARE_DOT(dotu, std::complex<double>)
DECLARE_DOT(dotc, std::complex<float>) DECLARE_DOT(dotc, std::complex<double>)
}
namespace row_major { ALL }
} // namespace oneapi::mkl::blas

using namespace arguments;
namespace column_major = oneapi::mkl::blas::column_major;
namespace row_major = oneapi::mkl::blas::row_major;
using oneapi::mkl::diag;
using oneapi::mkl::side;
using oneapi::mkl::transpose;
using oneapi::mkl::uplo;
using oneapi::mkl::blas::compute_mode;
template <class T> using S = oneapi::mkl::value_or_pointer<T>;

const std::vector<int64_t> sizes{-1, 0}, steps{0, -1, 2, -2}, none{}, null{0};

template <class T> constexpr bool is_complex = false;
template <class T> constexpr bool is_complex<std::complex<T>> = true;

/// Numbers so small that sums of their products are exact in every type.
template <class T> void fill(Memory &memory, const char *name) {
    T *array = memory.of<T>(name);
    for (size_t i = 0; i < Memory::bytes / sizeof(T); ++i) {
        if constexpr (is_complex<T>) array[i] = T(i % 5 + 1, i % 3 + 1);
        else array[i] = T(i % 5 + 1);
    }
}

template <class A, class C> constexpr bool has_own_function = std::is_same_v<A, C> && !std::is_same_v<A, sycl::half>;

// m = 3, n = 4, k = 5, in either order.
template <class A, class C, class T> Routine gemm(bool columns, std::string types) {
    Routine r;
    int64_t lda = columns ? 3 : 5, ldb = columns ? 5 : 4, ldc = columns ? 3 : 4;
    r.name = std::string(columns ? "column_major" : "row_major") + "::gemm " + types;
    r.arguments = {{"transa", 0, none}, {"transb", 0, none}, {"m", 3, sizes}, {"n", 4, sizes}, {"k", 5, sizes},
                   {"alpha", 1, {}}, {"a", 1, none}, {"lda", lda, {lda - 1, 0, -1}}, {"b", 1, none}, {"ldb", ldb, {ldb - 1, 0, -1}},
                   {"beta", 1, {}}, {"c", 1, none}, {"ldc", ldc, {ldc - 1, 0, -1}}};
    r.together = {{{"transa", 2}}, {{"transb", 2}}, {{"transa", 2}, {"m", -1}}, {{"transa", 1}}, {{"transb", 1}}, {{"transa", 3}}, {{"transb", 3}}, {{"transa", 1}, {"lda", columns ? 5 : 3}}, {{"transa", 3}, {"lda", columns ? 5 : 3}},
                  {{"transb", 1}, {"ldb", columns ? 4 : 5}}, {{"transa", 1}, {"lda", columns ? 4 : 2}}, {{"transb", 1}, {"ldb", columns ? 3 : 4}},
                  {{"m", 0}, {"n", -1}}, {{"m", 0}, {"lda", 0}}, {{"m", 0}, {"lda", 1}, {"ldc", 1}}, {{"n", 0}, {"ldb", 0}}, {{"n", 0}, {"ldb", 1}, {"ldc", 1}}, {{"k", 0}, {"lda", 0}}, {{"k", 0}, {"ldb", 0}},
                  {{"k", 0}, {"lda", 1}}, {{"k", 0}, {"ldb", 1}}, {{"m", 0}, {"n", 0}, {"k", 0}}, {{"alpha", 0}}, {{"beta", 0}}, {{"k", 0}, {"beta", 0}}};
    if (has_own_function<A, C>) r.together.push_back({{"m", 0}, {"c", 0}});
    r.exact = true;
    r.pairs = std::is_same_v<A, float>;
    r.fill = [](Memory &m, const Values &) { fill<A>(m, "a"), fill<A>(m, "b"), fill<C>(m, "c"); };
    r.call = [columns](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::gemm(q, all...) : row_major::gemm(q, all...); };
        return call(v.as<transpose>("transa"), v.as<transpose>("transb"), v("m"), v("n"), v("k"), S<T>(T(v("alpha"))), m.of<A>("a", v), v("lda"),
                    m.of<A>("b", v), v("ldb"), S<T>(T(v("beta"))), m.of<C>("c", v), v("ldc"), compute_mode::unset, Events{});
    };
    return r;
}

template <class A, class C, class T> Routine gemm_batch(bool columns, std::string types) {
    auto r = gemm<A, C, T>(columns, types);
    r.name = std::string(columns ? "column_major" : "row_major") + "::gemm_batch " + types;
    std::vector<Argument> all;
    for (auto &one : r.arguments) {
        all.push_back(one);
        int64_t need = one.name == "lda" ? 15 : one.name == "ldb" ? 20 : 12;
        if (one.name == "lda") all.push_back({"stride_a", 15, {-1, 14, 1, 0, -15}});
        if (one.name == "ldb") all.push_back({"stride_b", 20, {-1, 19, 1, 0, -20}});
        if (one.name == "ldc") all.push_back({"stride_c", 12, {-1, 11, 1, 0, -12}});
    }
    // Of the types that oneMKL has no function for on a processor, a negative number damages its memory.
    all.push_back({"batch_size", 3, has_own_function<A, C> ? std::vector<int64_t>{-1, 0, -5, 1} : std::vector<int64_t>{1}});
    r.arguments = all;
    for (auto name : {"stride_a", "stride_b", "stride_c"})
        for (auto value : {-1, 0, 1}) r.together.push_back({{"batch_size", 1}, {name, value}});
    r.together.push_back({{"m", 0}, {"stride_c", 0}});
    if (has_own_function<A, C>) r.together.push_back({{"m", 0}, {"batch_size", -1}});
    r.together.push_back({{"k", 0}, {"stride_a", 0}});
    r.together.push_back({{"transa", 1}, {"lda", 5}, {"stride_a", 14}});
    r.together.push_back({{"transa", 1}, {"lda", 5}, {"stride_a", 15}});
    r.together.push_back({{"transb", 1}, {"ldb", 5}, {"stride_b", 19}});
    r.together.push_back({{"ldc", 6}, {"stride_c", columns ? 23 : 17}});
    r.together.push_back({{"ldc", 6}, {"stride_c", columns ? 24 : 18}});
    r.together.push_back({{"ldc", 6}, {"stride_c", columns ? 21 : 16}});
    r.together.push_back({{"lda", 6}, {"stride_a", columns ? 29 : 17}});
    r.together.push_back({{"lda", 6}, {"stride_a", columns ? 30 : 18}});
    r.call = [columns](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::gemm_batch(q, all...) : row_major::gemm_batch(q, all...); };
        return call(v.as<transpose>("transa"), v.as<transpose>("transb"), v("m"), v("n"), v("k"), S<T>(T(v("alpha"))), m.of<A>("a", v), v("lda"), v("stride_a"),
                    m.of<A>("b", v), v("ldb"), v("stride_b"), S<T>(T(v("beta"))), m.of<C>("c", v), v("ldc"), v("stride_c"), v("batch_size"), compute_mode::unset, Events{});
    };
    return r;
}

template <class T> Routine gemv(bool columns, std::string types) {
    Routine r;
    int64_t lda = columns ? 3 : 4;
    r.name = std::string(columns ? "column_major" : "row_major") + "::gemv " + types;
    r.arguments = {{"trans", 0, none}, {"m", 3, sizes}, {"n", 4, sizes}, {"alpha", 1, {}}, {"a", 1, none}, {"lda", lda, {lda - 1, 0, -1}},
                   {"x", 1, none}, {"incx", 1, steps}, {"beta", 1, {}}, {"y", 1, none}, {"incy", 1, steps}};
    r.together = {{{"trans", 2}}, {{"trans", 2}, {"m", -1}}, {{"trans", 1}}, {{"trans", 3}}, {{"trans", 3}, {"incx", -1}}, {{"trans", 3}, {"incy", -1}}, {{"trans", 3}, {"incx", 0}}, {{"trans", 1}, {"lda", 2}},
                  {{"m", 0}, {"lda", 0}}, {{"m", 0}, {"n", -1}}, {{"n", 0}, {"lda", 0}}, {{"m", 0}, {"y", 0}}, {{"alpha", 0}}, {{"beta", 0}}, {{"m", 0}, {"beta", 0}}, {{"n", 0}, {"beta", 0}}, {{"incx", 2}, {"incy", 3}}, {{"trans", 1}, {"incx", 2}, {"incy", 3}}, {{"trans", 3}, {"incx", 2}, {"incy", 3}}};
    r.exact = true;
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &) { fill<T>(m, "a"), fill<T>(m, "x"), fill<T>(m, "y"); };
    r.call = [columns](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::gemv(q, all...) : row_major::gemv(q, all...); };
        return call(v.as<transpose>("trans"), v("m"), v("n"), S<T>(T(v("alpha"))), m.of<T>("a", v), v("lda"), m.of<T>("x", v), v("incx"),
                    S<T>(T(v("beta"))), m.of<T>("y", v), v("incy"), Events{});
    };
    return r;
}

template <class T> Routine syrk(bool columns, std::string types) {
    Routine r;
    int64_t lda = columns ? 3 : 5;
    r.name = std::string(columns ? "column_major" : "row_major") + "::syrk " + types;
    r.arguments = {{"uplo", 0, none}, {"trans", 0, none}, {"n", 3, sizes}, {"k", 5, sizes}, {"alpha", 1, {}}, {"a", 1, none},
                   {"lda", lda, {lda - 1, 0, -1}}, {"beta", 1, {}}, {"c", 1, none}, {"ldc", 3, {2, 0, -1}}};
    r.together = {{{"trans", 2}}, {{"trans", 2}, {"n", -1}}, {{"trans", 1}}, {{"trans", 1}, {"lda", columns ? 5 : 3}}, {{"trans", 1}, {"lda", columns ? 4 : 2}}, {{"n", 0}, {"k", -1}}, {{"n", 0}, {"c", 0}}, {{"alpha", 0}}, {{"beta", 0}}, {{"k", 0}, {"beta", 0}},
                  {{"n", 0}, {"lda", 0}}, {{"k", 0}, {"lda", 0}}};
    // Of complex numbers, oneMKL prints that it has none of conjugated matrices, and returns.
    if (std::is_floating_point_v<T>) r.together.push_back({{"trans", 3}, {"lda", columns ? 5 : 3}});
    r.exact = true;
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &) { fill<T>(m, "a"), fill<T>(m, "c"); };
    r.call = [columns](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::syrk(q, all...) : row_major::syrk(q, all...); };
        return call(v.as<uplo>("uplo"), v.as<transpose>("trans"), v("n"), v("k"), S<T>(T(v("alpha"))), m.of<T>("a", v), v("lda"), S<T>(T(v("beta"))),
                    m.of<T>("c", v), v("ldc"), compute_mode::unset, Events{});
    };
    return r;
}

template <class T> Routine trsm_batch(bool columns, std::string types) {
    Routine r;
    int64_t ldb = columns ? 3 : 4;
    r.name = std::string(columns ? "column_major" : "row_major") + "::trsm_batch " + types;
    r.arguments = {{"side", 0, none}, {"uplo", 0, none}, {"trans", 0, none}, {"diag", 0, none}, {"m", 3, sizes}, {"n", 4, sizes},
                   {"alpha", 1, {}}, {"a", 1, none}, {"lda", 3, {2, 0, -1}}, {"stride_a", 9, {-1, 8, 0, 1}}, {"b", 1, none}, {"ldb", ldb, {ldb - 1, 0, -1}},
                   {"stride_b", 12, {-1, 11, 0, 1, -12}}, {"batch_size", 3, {-1, 0, -5, 1}}};
    r.together = {{{"trans", 2}}, {{"trans", 2}, {"m", -1}}, {{"trans", 1}}, {{"trans", 3}}, {{"side", 1}}, {{"side", 1}, {"lda", 4}, {"stride_a", 16}}, {{"m", 0}, {"n", -1}}, {{"m", 0}, {"stride_b", 0}}, {{"batch_size", 1}, {"stride_b", 0}}, {{"batch_size", 1}, {"stride_a", -1}},
                  {{"batch_size", 1}, {"stride_b", -1}}, {{"m", 0}, {"batch_size", -1}}};
    r.pairs = std::is_same_v<T, float>;
    r.fill = [](Memory &m, const Values &) { fill<T>(m, "a"), fill<T>(m, "b"); };
    r.call = [columns](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::trsm_batch(q, all...) : row_major::trsm_batch(q, all...); };
        return call(v.as<side>("side"), v.as<uplo>("uplo"), v.as<transpose>("trans"), v.as<diag>("diag"), v("m"), v("n"), S<T>(T(v("alpha"))), m.of<T>("a", v), v("lda"),
                    v("stride_a"), m.of<T>("b", v), v("ldb"), v("stride_b"), v("batch_size"), compute_mode::unset, Events{});
    };
    return r;
}

template <class T, class F> Routine dot(std::string name, F call) {
    Routine r;
    r.name = "column_major::" + name;
    r.arguments = {{"n", 3, sizes}, {"x", 1, none}, {"incx", 1, steps}, {"y", 1, none}, {"incy", 1, steps}, {"result", 1, none}};
    r.together = {{{"n", 0}, {"incx", 0}}, {{"n", 0}, {"x", 0}}, {{"n", -1}, {"incx", 0}}, {{"incx", 2}, {"incy", 3}}};
    r.exact = true;
    r.fill = [](Memory &m, const Values &) { fill<T>(m, "x"), fill<T>(m, "y"), fill<T>(m, "result"); };
    r.call = [call](sycl::queue &q, Memory &m, const Values &v) {
        int64_t n = v("n"), ix = v("incx"), iy = v("incy");
        const T *x = m.of<T>("x", v), *y = m.of<T>("y", v);
        T *result = m.of<T>("result", v);
        Events before;
        return call(q, n, x, ix, y, iy, result, before);
    };
    return r;
}

template <class T> Routine scal(std::string types) {
    Routine r;
    r.name = "column_major::scal " + types;
    r.arguments = {{"n", 3, sizes}, {"alpha", 2, {0, 1}}, {"x", 1, none}, {"incx", 1, steps}};
    r.together = {{{"n", 0}, {"incx", 0}}, {{"n", 0}, {"x", 0}}};
    r.exact = true;
    r.fill = [](Memory &m, const Values &) { fill<T>(m, "x"); };
    r.call = [](sycl::queue &q, Memory &m, const Values &v) {
        return column_major::scal(q, v("n"), S<T>(T(v("alpha"))), m.of<T>("x", v), v("incx"), Events{});
    };
    return r;
}

// Two groups. The first is right.
template <class A, class C, class T> Routine gemm_groups(bool columns, std::string types) {
    auto r = gemm<A, C, T>(columns, types);
    r.name = std::string(columns ? "column_major" : "row_major") + "::gemm_batch of groups " + types;
    r.together = {{{"group_count", -1}, {"transas", 0}}, {{"m", -1}, {"betas", 0}}, {{"transas", 0}, {"ldbs", 0}}, {{"group_sizes", 0}, {"ms", 0}}};
    r.arguments.push_back({"group_count", 2, {-1}});
    r.arguments.push_back({"group_size", 2, {-1, 0}});
    r.pairs = std::is_same_v<A, float> && columns;
    struct Groups {
        transpose ta[2], tb[2];
        int64_t m[2], n[2], k[2], lda[2], ldb[2], ldc[2], size[2];
        T alpha[2], beta[2];
        const A *a[4], *b[4];
        C *c[4];
    };
    for (auto name : {"transas", "transbs", "ms", "ns", "ks", "alphas", "as", "ldas", "bs", "ldbs", "betas", "cs", "ldcs", "group_sizes"})
        r.arguments.push_back({name, 1, r.pairs ? std::vector<int64_t>{} : std::vector<int64_t>{0}});
    int64_t lda = columns ? 3 : 5, ldb = columns ? 5 : 4, ldc = columns ? 3 : 4;
    r.call = [=](sycl::queue &q, Memory &m, const Values &v) {
        auto call = [&](const auto &...all) { return columns ? column_major::gemm_batch(q, all...) : row_major::gemm_batch(q, all...); };
        auto &g = *m.of<Groups>("groups");
        g = {{transpose(0), v.as<transpose>("transa")}, {transpose(0), v.as<transpose>("transb")}, {3, v("m")}, {4, v("n")}, {5, v("k")},
             {lda, v("lda")}, {ldb, v("ldb")}, {ldc, v("ldc")}, {2, v("group_size")}, {T(1), T(v("alpha"))}, {T(1), T(v("beta"))}};
        for (int i = 0; i < 4; ++i) g.a[i] = m.of<A>("a") + 20 * i, g.b[i] = m.of<A>("b") + 20 * i, g.c[i] = m.of<C>("c") + 20 * i;
        m.keep();
        auto given = [&](const char *name, auto *array) { return v(name) ? array : nullptr; };
        return call(given("transas", g.ta), given("transbs", g.tb), given("ms", g.m), given("ns", g.n), given("ks", g.k),
                    given("alphas", g.alpha), given("as", g.a), given("ldas", g.lda), given("bs", g.b), given("ldbs", g.ldb),
                    given("betas", g.beta), given("cs", g.c), given("ldcs", g.ldc), v("group_count"), given("group_sizes", g.size),
                    compute_mode::unset, Events{});
    };
    return r;
}

int main() {
    using ComplexF = std::complex<float>;
    using ComplexD = std::complex<double>;
    using sycl::half;
    using std::int8_t;
    std::vector<Routine> all;
    for (bool columns : {true, false}) {
#define GEMM(A, C, S)                                                                                                              \
    all.push_back(gemm<A, C, S>(columns, #A " " #C));                                                                              \
    all.push_back(gemm_batch<A, C, S>(columns, #A " " #C));                                                                        \
    all.push_back(gemm_groups<A, C, S>(columns, #A " " #C));
        GEMM(float, float, float)
        GEMM(double, double, double)
        GEMM(ComplexF, ComplexF, ComplexF)
        GEMM(ComplexD, ComplexD, ComplexD)
        GEMM(half, half, half)
        GEMM(half, float, float)
        GEMM(int8_t, float, float)
        GEMM(int8_t, int32_t, float)
#define EACH(T) all.push_back(gemv<T>(columns, #T)), all.push_back(syrk<T>(columns, #T)), all.push_back(trsm_batch<T>(columns, #T));
        EACH(float)
        EACH(double)
        EACH(ComplexF)
        EACH(ComplexD)
    }
#define DOT(NAME, T) all.push_back(dot<T>(#NAME " " #T, [](auto &...given) { return column_major::NAME(given...); }));
    DOT(dot, float)
    DOT(dot, double)
    DOT(dotu, ComplexF)
    DOT(dotu, ComplexD)
    DOT(dotc, ComplexF)
    DOT(dotc, ComplexD)
#define SCAL(T) all.push_back(scal<T>(#T));
    SCAL(float)
    SCAL(double)
    SCAL(ComplexF)
    SCAL(ComplexD)
    return run(all);
}
