// LAPACK: factorizations and solvers.
#include "arguments.hpp"
#include <algorithm>
#include <memory>
#include <set>

namespace oneapi::mkl::lapack {
using std::int64_t;
using Events = std::vector<sycl::event>;
template <class T> struct RealOf { using type = T; };
template <class T> struct RealOf<std::complex<T>> { using type = T; };
#if ONEMKL_MAJOR == 5
#define SIZE_TEMPLATE template <class T, void * = nullptr>
#else
#define SIZE_TEMPLATE template <class T, class = void *>
#endif
using Q = sycl::queue &;
using L = int64_t;
#define SIZE(NAME, ...) SIZE_TEMPLATE int64_t NAME##_scratchpad_size(sycl::queue &, __VA_ARGS__);
SIZE(getrf, L m, L n, L lda)
SIZE(getrf_batch, L m, L n, L lda, L sa, L sp, L count)
SIZE(getrs, transpose t, L n, L columns, L lda, L ldb)
SIZE(getrs_batch, transpose t, L n, L columns, L lda, L sa, L sp, L ldb, L sb, L count)
SIZE(getri_batch, L n, L lda, L sa, L sp, L count)
SIZE(getri, L n, L lda)
SIZE(gesv, L n, L columns, L lda, L ldb)
SIZE(potrf, uplo u, L n, L lda)
SIZE(potrf_batch, uplo u, L n, L lda, L sa, L count)
SIZE(potrs, uplo u, L n, L columns, L lda, L ldb)
SIZE(geqrf, L m, L n, L lda)
SIZE(geqrf_batch, L m, L n, L lda, L sa, L st, L count)
SIZE(gesvd, jobsvd ju, jobsvd jv, L m, L n, L lda, L ldu, L ldv)
SIZE(gels_batch, transpose t, L m, L n, L columns, L lda, L sa, L ldb, L sb, L count)
SIZE(orgqr, L m, L n, L k, L lda)
SIZE(orgqr_batch, L m, L n, L k, L lda, L sa, L st, L count)
SIZE(syevd, job what, uplo u, L n, L lda)
SIZE(ungqr, L m, L n, L k, L lda)
SIZE(ungqr_batch, L m, L n, L k, L lda, L sa, L st, L count)
SIZE(heevd, job what, uplo u, L n, L lda)
#define CALL(NAME, ...) sycl::event NAME(sycl::queue &, __VA_ARGS__, const Events &);
#define FOR_TYPE(T)                                                                                                                \
    CALL(getrf, L m, L n, T *a, L lda, L *pivots, T *scratch, L size)                                                              \
    CALL(getrf_batch, L m, L n, T *a, L lda, L sa, L *pivots, L sp, L count, T *scratch, L size)                                   \
    CALL(getrs, transpose t, L n, L columns, const T *a, L lda, const L *pivots, T *b, L ldb, T *scratch, L size)                  \
    CALL(getrs_batch, transpose t, L n, L columns, const T *a, L lda, L sa, const L *pivots, L sp, T *b, L ldb, L sb, L count, T *scratch, L size) \
    CALL(getri, L n, T *a, L lda, const L *pivots, T *scratch, L size)                                                             \
    CALL(getri_batch, L n, T *a, L lda, L sa, const L *pivots, L sp, L count, T *scratch, L size)                                  \
    CALL(gesv, L n, L columns, T *a, L lda, L *pivots, T *b, L ldb, T *scratch, L size)                                            \
    CALL(potrf, uplo u, L n, T *a, L lda, T *scratch, L size)                                                                      \
    CALL(potrf_batch, uplo u, L n, T *a, L lda, L sa, L count, T *scratch, L size)                                                 \
    CALL(potrs, uplo u, L n, L columns, const T *a, L lda, T *b, L ldb, T *scratch, L size)                                        \
    CALL(geqrf, L m, L n, T *a, L lda, T *tau, T *scratch, L size)                                                                 \
    CALL(geqrf_batch, L m, L n, T *a, L lda, L sa, T *tau, L st, L count, T *scratch, L size)                                      \
    CALL(gels_batch, transpose t, L m, L n, L columns, T *a, L lda, L sa, T *b, L ldb, L sb, L count, T *scratch, L size)          \
    CALL(gesvd, jobsvd ju, jobsvd jv, L m, L n, T *a, L lda, typename RealOf<T>::type *s, T *u, L ldu, T *v, L ldv, T *scratch, L size)
#define FOR_KIND(T, QR, EIGEN)                                                                                                     \
    CALL(QR, L m, L n, L k, T *a, L lda, const T *tau, T *scratch, L size)                                                         \
    CALL(QR##_batch, L m, L n, L k, T *a, L lda, L sa, const T *tau, L st, L count, T *scratch, L size)                            \
    CALL(EIGEN, job what, uplo u, L n, T *a, L lda, RealOf<T>::type *w, T *scratch, L size)
FOR_TYPE(float)
FOR_TYPE(double)
FOR_TYPE(std::complex<float>)
FOR_TYPE(std::complex<double>)
FOR_KIND(float, orgqr, syevd)
FOR_KIND(double, orgqr, syevd)
FOR_KIND(std::complex<float>, ungqr, heevd)
FOR_KIND(std::complex<double>, ungqr, heevd)
} // namespace oneapi::mkl::lapack

using namespace arguments;
namespace lapack = oneapi::mkl::lapack;
using oneapi::mkl::job;
using oneapi::mkl::jobsvd;
using oneapi::mkl::transpose;
using oneapi::mkl::uplo;

// Sizes of 4, and batches of 3.
const std::vector<int64_t> transposes{2, 7, -1}, sizes{-1, 0}, null{0}, none{}, enumerators{7, 2, -1}, leading{3, 0, -1}, counts{-1, 0, 1};

/// An array of the routine.
template <class T> void fill(Memory &memory, const std::string &which) {
    T *array = memory.of<T>(which);
    for (size_t i = 0; i < Memory::bytes / sizeof(T); ++i)
        array[i] = which == "ipiv" ? T(i % 4 + 1) : which == "a" && i % 16 % 5 == 0 ? T(5 + i % 16) : which == "tau" ? T(0) : T(0.5);
}

template <class T> using Real = typename lapack::RealOf<T>::type;
template <class T> using Call = std::function<sycl::event(sycl::queue &, Memory &, const Values &, T *scratch, int64_t size)>;
using Ask = std::function<int64_t(sycl::queue &, const Values &)>;

/// An array: of functions that look for null pointers, null is tried.
bool is_array(const Argument &argument) {
    static const std::set<std::string> names{"a", "ipiv", "b", "tau", "s", "w", "u", "vt"};
    return names.count(argument.name) != 0;
}

/// A routine, and the function that tells the size of its scratchpad.
template <class T>
void add(std::vector<Routine> &all, const std::string &type, const std::string &name, const std::vector<Argument> &arguments, Ask ask,
         Call<T> call, const Together &together = {}) {
    Routine size, run;
    size.name = name + "_scratchpad_size " + type;
    run.name = name + " " + type;
    bool looks_for_null = false;
    for (auto &one : arguments) {
        looks_for_null |= is_array(one) && !one.tried.empty();
        if (!is_array(one)) size.arguments.push_back(one);
    }
    for (auto &changed : together)
        if (changed[0].first != "zeros") size.together.push_back(changed);
    size.fill = [](Memory &, const Values &) {};
    size.call = [ask](sycl::queue &queue, Memory &, const Values &values) { return ask(queue, values), sycl::event(); };
    run.arguments = arguments;
    run.arguments.push_back({"scratchpad", 1, looks_for_null && name != "potrs" ? null : none});
    // Numbers of scratchpad more than were asked for.
    run.arguments.push_back({"spare", 0, {-1, -1000000, 7}});
    // Whether the first matrix has zeros only, or the second.
    run.arguments.push_back({"zeros", 0, none});
    run.together = together;
    run.fill = [arguments](Memory &memory, const Values &values) {
        for (auto &one : arguments) {
            if (!is_array(one)) continue;
            if (one.name == "ipiv") fill<int64_t>(memory, one.name);
            else if (one.name == "s" || one.name == "w") fill<Real<T>>(memory, one.name);
            else fill<T>(memory, one.name);
        }
        if (values("zeros")) std::fill_n(memory.of<T>("a") + (values("zeros") - 1) * 16, 16, T(0));
    };
    Values right;
    for (auto &one : run.arguments) right.set(one.name, one.right);
    run.call = [=](sycl::queue &queue, Memory &memory, const Values &values) {
        int64_t asked = ask(queue, right);
        auto *scratch = sycl::malloc_shared<T>(asked + 16, queue);
        std::shared_ptr<T> owner(scratch, [&queue](T *memory) { queue.wait(), sycl::free(memory, queue); });
        auto event = call(queue, memory, values, values("scratchpad") ? scratch : nullptr, asked + values("spare"));
        event.wait();
        return event;
    };
    // oneMKL has it for GPUs alone.
    if (name != "gels_batch") all.push_back(run);
    all.push_back(size);
}

template <class T> void add_all(std::vector<Routine> &all, std::string type) {
    using Q = sycl::queue;
    using V = const Values;
    using R = Real<T>;
    Argument m{"m", 4, sizes}, n{"n", 4, sizes}, k{"k", 4, {5, 0, -1}}, columns{"nrhs", 2, sizes}, a{"a", 1, none}, a0{"a", 1, null}, pivots0{"ipiv", 1, null}, b0{"b", 1, null}, tau0{"tau", 1, null}, lda{"lda", 4, leading}, pivots{"ipiv", 1, none}, sa{"stride_a", 16, {15, 0, -1, -16}},
        sp{"stride_ipiv", 4, {3, 0, -1}}, count{"batch_size", 3, counts}, b{"b", 1, none}, ldb{"ldb", 4, leading}, sb{"stride_b", 8, {7, 0, -1}}, tau{"tau", 1, none}, st{"stride_tau", 4, {3, 0, -1}},
        t{"trans", 0, transposes}, u{"uplo", 0, enumerators}, what{"jobz", 1, enumerators}, ju{"jobu", 1, enumerators}, jv{"jobvt", 1, enumerators}, s{"s", 1, none}, w{"w", 1, none}, uu{"u", 1, none},
        ldu{"ldu", 4, leading}, vt{"vt", 1, none}, ldvt{"ldvt", 4, leading};
    // Since 2026 `geqrf_batch` does not look for null pointers.
    Argument a_of_batch = ONEMKL_MAJOR == 5 ? a0 : a, tau_of_batch = ONEMKL_MAJOR == 5 ? tau0 : tau;
    Together none_m{{{"zeros", 1}}, {{"m", 0}, {"n", -1}}, {{"m", 0}, {"lda", 0}}, {{"m", 0}, {"lda", 1}}, {{"m", 0}, {"a", 0}}, {{"n", 0}, {"lda", 3}}},
        none{{{"zeros", 1}}, {{"n", 0}, {"lda", 0}}, {{"n", 0}, {"lda", 1}}, {{"n", 0}, {"a", 0}}}, none_b{{{"zeros", 1}}, {{"n", 0}, {"lda", 0}}, {{"n", 0}, {"lda", 1}}, {{"n", 0}, {"a", 0}}, {{"nrhs", 0}, {"ldb", 0}}, {{"n", 0}, {"ldb", 0}}, {{"nrhs", 0}, {"b", 0}}};
        Together batch{{{"zeros", 1}}, {{"zeros", 2}}, {{"batch_size", 1}, {"stride_a", 0}}, {{"batch_size", 0}, {"n", -1}}, {{"batch_size", 0}, {"stride_a", 0}}, {{"batch_size", 0}, {"a", 0}}, {{"n", 0}, {"stride_a", 0}}, {{"n", 0}, {"stride_a", -1}}};
    add<T>(all, type, "getrf", {m, n, a, lda, pivots}, [](Q &q, V &v) { return lapack::getrf_scratchpad_size<T>(q, v("m"), v("n"), v("lda")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getrf(q, v("m"), v("n"), m.of<T>("a", v), v("lda"), m.of<int64_t>("ipiv", v), w, size, {}); }, none_m);
    add<T>(all, type, "getrf_batch", {m, n, a, lda, sa, pivots, sp, count}, [](Q &q, V &v) { return lapack::getrf_batch_scratchpad_size<T>(q, v("m"), v("n"), v("lda"), v("stride_a"), v("stride_ipiv"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getrf_batch(q, v("m"), v("n"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<int64_t>("ipiv", v), v("stride_ipiv"), v("batch_size"), w, size, {}); }, none_m + batch);
    add<T>(all, type, "getrs", {t, n, columns, a, lda, pivots, b, ldb}, [](Q &q, V &v) { return lapack::getrs_scratchpad_size<T>(q, v.as<transpose>("trans"), v("n"), v("nrhs"), v("lda"), v("ldb")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getrs(q, v.as<transpose>("trans"), v("n"), v("nrhs"), m.of<T>("a", v), v("lda"), m.of<int64_t>("ipiv", v), m.of<T>("b", v), v("ldb"), w, size, {}); }, none_b + Together{{{"trans", 1}}, {{"trans", 3}}});
    add<T>(all, type, "getrs_batch", {t, n, columns, a, lda, sa, pivots, sp, b, ldb, sb, count},
           [](Q &q, V &v) { return lapack::getrs_batch_scratchpad_size<T>(q, v.as<transpose>("trans"), v("n"), v("nrhs"), v("lda"), v("stride_a"), v("stride_ipiv"), v("ldb"), v("stride_b"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getrs_batch(q, v.as<transpose>("trans"), v("n"), v("nrhs"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<int64_t>("ipiv", v), v("stride_ipiv"), m.of<T>("b", v), v("ldb"), v("stride_b"), v("batch_size"), w, size, {}); }, none_b + batch);
    if constexpr (std::is_floating_point_v<T>)
    add<T>(all, type, "getri", {n, a, lda, pivots}, [](Q &q, V &v) { return lapack::getri_scratchpad_size<T>(q, v("n"), v("lda")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getri(q, v("n"), m.of<T>("a", v), v("lda"), m.of<int64_t>("ipiv", v), w, size, {}); }, none);
    add<T>(all, type, "getri_batch", {n, a, lda, sa, pivots, sp, count}, [](Q &q, V &v) { return lapack::getri_batch_scratchpad_size<T>(q, v("n"), v("lda"), v("stride_a"), v("stride_ipiv"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::getri_batch(q, v("n"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<int64_t>("ipiv", v), v("stride_ipiv"), v("batch_size"), w, size, {}); }, none + batch);
    add<T>(all, type, "gesv", {n, columns, a0, lda, pivots0, b0, ldb}, [](Q &q, V &v) { return lapack::gesv_scratchpad_size<T>(q, v("n"), v("nrhs"), v("lda"), v("ldb")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::gesv(q, v("n"), v("nrhs"), m.of<T>("a", v), v("lda"), m.of<int64_t>("ipiv", v), m.of<T>("b", v), v("ldb"), w, size, {}); }, none_b);
    add<T>(all, type, "potrf", {u, n, a0, lda}, [](Q &q, V &v) { return lapack::potrf_scratchpad_size<T>(q, v.as<uplo>("uplo"), v("n"), v("lda")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::potrf(q, v.as<uplo>("uplo"), v("n"), m.of<T>("a", v), v("lda"), w, size, {}); }, none);
    add<T>(all, type, "potrf_batch", {u, n, a, lda, sa, count}, [](Q &q, V &v) { return lapack::potrf_batch_scratchpad_size<T>(q, v.as<uplo>("uplo"), v("n"), v("lda"), v("stride_a"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::potrf_batch(q, v.as<uplo>("uplo"), v("n"), m.of<T>("a", v), v("lda"), v("stride_a"), v("batch_size"), w, size, {}); }, none + batch);
    add<T>(all, type, "potrs", {u, n, columns, a0, lda, b0, ldb}, [](Q &q, V &v) { return lapack::potrs_scratchpad_size<T>(q, v.as<uplo>("uplo"), v("n"), v("nrhs"), v("lda"), v("ldb")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::potrs(q, v.as<uplo>("uplo"), v("n"), v("nrhs"), m.of<T>("a", v), v("lda"), m.of<T>("b", v), v("ldb"), w, size, {}); }, none_b);
    add<T>(all, type, "geqrf", {m, n, a0, lda, tau0}, [](Q &q, V &v) { return lapack::geqrf_scratchpad_size<T>(q, v("m"), v("n"), v("lda")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::geqrf(q, v("m"), v("n"), m.of<T>("a", v), v("lda"), m.of<T>("tau", v), w, size, {}); }, none_m);
    add<T>(all, type, "geqrf_batch", {m, n, a_of_batch, lda, sa, tau_of_batch, st, count}, [](Q &q, V &v) { return lapack::geqrf_batch_scratchpad_size<T>(q, v("m"), v("n"), v("lda"), v("stride_a"), v("stride_tau"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::geqrf_batch(q, v("m"), v("n"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<T>("tau", v), v("stride_tau"), v("batch_size"), w, size, {}); }, none_m + batch);
    add<T>(all, type, "gels_batch", {t, m, n, columns, a, lda, sa, b, ldb, sb, count}, [](Q &q, V &v) { return lapack::gels_batch_scratchpad_size<T>(q, v.as<transpose>("trans"), v("m"), v("n"), v("nrhs"), v("lda"), v("stride_a"), v("ldb"), v("stride_b"), v("batch_size")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::gels_batch(q, v.as<transpose>("trans"), v("m"), v("n"), v("nrhs"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<T>("b", v), v("ldb"), v("stride_b"), v("batch_size"), w, size, {}); }, none_b + batch + Together{{{"trans", 1}}, {{"trans", 3}}, {{"m", 3}}, {{"n", 3}}});
    add<T>(all, type, "gesvd", {ju, jv, m, n, a, lda, s, uu, ldu, vt, ldvt}, [](Q &q, V &v) { return lapack::gesvd_scratchpad_size<T>(q, v.as<jobsvd>("jobu"), v.as<jobsvd>("jobvt"), v("m"), v("n"), v("lda"), v("ldu"), v("ldvt")); },
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::gesvd(q, v.as<jobsvd>("jobu"), v.as<jobsvd>("jobvt"), v("m"), v("n"), m.of<T>("a", v), v("lda"), m.of<R>("s", v), m.of<T>("u", v), v("ldu"), m.of<T>("vt", v), v("ldvt"), w, size, {}); },
           none_m + Together{{{"jobu", 0}}, {{"jobvt", 0}}, {{"jobu", 3}}, {{"jobvt", 3}}, {{"jobu", 0}, {"ldu", 1}}, {{"jobu", 0}, {"ldu", 0}}, {{"jobvt", 0}, {"ldvt", 1}}, {{"jobvt", 0}, {"ldvt", 0}}, {{"jobvt", 3}, {"m", 2}, {"ldvt", 2}}, {{"jobvt", 3}, {"m", 2}, {"ldvt", 1}}, {{"jobu", 2}, {"jobvt", 2}}, {{"jobu", 0}, {"u", 0}}, {{"jobvt", 0}, {"vt", 0}}});
    auto qr_together = none_m + Together{{{"m", 3}}, {{"n", 3}}, {{"n", 3}, {"k", 3}}, {{"n", 5}, {"m", 4}}};
    if constexpr (std::is_floating_point_v<T>) {
#define KIND(QR, EIGEN)                                                                                                                                                                              \
    add<T>(all, type, #QR, {m, n, k, a, lda, tau}, [](Q &q, V &v) { return lapack::QR##_scratchpad_size<T>(q, v("m"), v("n"), v("k"), v("lda")); },                                                  \
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::QR(q, v("m"), v("n"), v("k"), m.of<T>("a", v), v("lda"), m.of<T>("tau", v), w, size, {}); }, qr_together);            \
    add<T>(all, type, #QR "_batch", {m, n, k, a0, lda, sa, tau0, st, count}, [](Q &q, V &v) { return lapack::QR##_batch_scratchpad_size<T>(q, v("m"), v("n"), v("k"), v("lda"), v("stride_a"), v("stride_tau"), v("batch_size")); }, \
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::QR##_batch(q, v("m"), v("n"), v("k"), m.of<T>("a", v), v("lda"), v("stride_a"), m.of<T>("tau", v), v("stride_tau"), v("batch_size"), w, size, {}); }, qr_together + batch); \
    add<T>(all, type, #EIGEN, {what, u, n, a, lda, w}, [](Q &q, V &v) { return lapack::EIGEN##_scratchpad_size<T>(q, v.as<job>("jobz"), v.as<uplo>("uplo"), v("n"), v("lda")); },                     \
           [](Q &q, Memory &m, V &v, T *w, int64_t size) { return lapack::EIGEN(q, v.as<job>("jobz"), v.as<uplo>("uplo"), v("n"), m.of<T>("a", v), v("lda"), m.of<R>("w", v), w, size, {}); }, none + Together{{{"jobz", 0}}});
        KIND(orgqr, syevd)
    } else {
        KIND(ungqr, heevd)
    }
}

int main() {
    std::vector<Routine> all;
    add_all<float>(all, "float");
        add_all<std::complex<float>>(all, "ComplexF");
    return run(all);
}
