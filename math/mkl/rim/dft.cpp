// libmkl_sycl_dft: transforms.
//
// A descriptor remains the vendor's object, and the vendor's functions create, set and read it. This file replaces
// those that need a device. The data of descriptors that were committed to a queue of ours is kept separately.
#include "native.hpp"
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace oneapi::mkl::dft {
enum class precision : int { single = 35, two = 36 };
enum class domain : int { real = 33, complex = 32 };
// The numbers that compiled callers pass. oneMKL 2026 renumbered them.
enum class config_param : int {
    dimension = 1,
    lengths = 2,
    forward_scale = 4,
    backward_scale = 5,
#if ONEMKL_MAJOR == 5
    number_of_transforms = 7,
    commit_status = 22,
    forward_strides = 31,
    backward_strides = 32,
    forward_distance = 58,
    backward_distance = 59,
#else
    number_of_transforms = 6,
    forward_distance = 9,
    backward_distance = 10,
    commit_status = 12,
    forward_strides = 17,
    backward_strides = 18,
#endif
};
enum class config_value : int { committed = ONEMKL_MAJOR == 5 ? 30 : 0 };

template <precision P, domain D> class descriptor {
  public:
    descriptor(descriptor &&from);
    descriptor &operator=(descriptor &&from);
    ~descriptor();
    void commit(sycl::queue &queue);
    void get_value(config_param, config_value *) const;
    // Implemented by the vendor.
    void get_value(config_param, std::int64_t *) const;
    void get_value(config_param, std::vector<std::int64_t> *) const;
    void get_value(config_param, std::conditional_t<P == precision::single, float, double> *) const;
};

} // namespace oneapi::mkl::dft

namespace {
using oneapi::mkl::dft::config_param;
using oneapi::mkl::dft::config_value;
using oneapi::mkl::dft::descriptor;
using oneapi::mkl::dft::domain;
using oneapi::mkl::dft::precision;

/// A descriptor that was committed to a queue of ours.
struct Committed {
    sycl::queue queue;
    pi_math_transform forward, backward;
};

class Descriptors {
    std::mutex mutex;
    std::unordered_map<const void *, Committed> committed;

  public:
    void put(const void *which, Committed what) {
        std::lock_guard lock(mutex);
        committed.insert_or_assign(which, std::move(what));
    }
    std::optional<Committed> get(const void *which) {
        std::lock_guard lock(mutex);
        auto found = committed.find(which);
        if (found == committed.end()) return std::nullopt;
        return found->second;
    }
    std::optional<Committed> take(const void *which) {
        decltype(committed)::node_type old;
        std::lock_guard lock(mutex);
        old = committed.extract(which);
        if (old.empty()) return std::nullopt;
        return std::move(old.mapped());
    }
    /// What it had is destroyed outside the lock.
    void remove(const void *which) { take(which); }
};

/// Never destroyed: descriptors may outlive the program's static objects.
Descriptors &descriptors() {
    static auto *all = new Descriptors;
    return *all;
}

/// Returns a member function of the vendor's descriptor, e.g. `commitERN4sycl3_V15queueE`.
template <precision P, domain D> void *vendors_member(const char *prefix, const char *member) {
    std::string name = std::string(prefix) + "6oneapi3mkl3dft10descriptorILNS1_9precisionE" + std::to_string(int(P)) +
                       "ELNS1_6domainE" + std::to_string(int(D)) + "EE" + member;
    void *found = dlsym(RTLD_NEXT, name.c_str());
    if (!found) fail(name, "the vendor's library, which is kept beside this one, has no such function");
    return found;
}

template <precision P, domain D> pi_math_transform settings(const descriptor<P, D> &from, bool forward) {
    constexpr bool single = P == precision::single, real = D == domain::real;
    pi_math_transform t{};
    t.element = (single ? 0 : 1) + (real ? 0 : 2);
    t.forward = forward;
    std::int64_t forward_distance = 0, backward_distance = 0;
    from.get_value(config_param::dimension, &t.rank);
    if (t.rank < 1 || t.rank > 3) fail("commit", "cuFFT has transforms of one to three dimensions, not " + std::to_string(t.rank));
    std::vector<std::int64_t> lengths(t.rank), forward_strides(t.rank + 1), backward_strides(t.rank + 1);
    if (t.rank == 1) {
        from.get_value(config_param::lengths, lengths.data());
    } else {
        from.get_value(config_param::lengths, &lengths);
    }
    from.get_value(config_param::number_of_transforms, &t.count);
    from.get_value(config_param::forward_strides, &forward_strides);
    from.get_value(config_param::backward_strides, &backward_strides);
    from.get_value(config_param::forward_distance, &forward_distance);
    from.get_value(config_param::backward_distance, &backward_distance);
    std::conditional_t<single, float, double> scale = 1;
    from.get_value(forward ? config_param::forward_scale : config_param::backward_scale, &scale);
    t.scale = scale;
    const auto &input = forward ? forward_strides : backward_strides, &output = forward ? backward_strides : forward_strides;
    for (std::int64_t axis = 0; axis <= t.rank; ++axis) {
        if (axis < t.rank) t.lengths[axis] = lengths[axis];
        t.input_strides[axis] = input.at(axis);
        t.output_strides[axis] = output.at(axis);
    }
    t.input_distance = forward ? forward_distance : backward_distance;
    t.output_distance = forward ? backward_distance : forward_distance;
    return t;
}

/// Throws what oneMKL throws when a descriptor is committed. Strides along a dimension of one number are ignored.
void check(const pi_math_transform &t) {
    for (std::int64_t axis = 0; axis < t.rank; ++axis)
        if (t.lengths[axis] != 1 && (!t.input_strides[axis + 1] || !t.output_strides[axis + 1]))
            throw oneapi::mkl::dft::bad_descriptor_exception();
    if (t.count > 1 && (!t.input_distance || !t.output_distance)) throw oneapi::mkl::dft::invalid_descriptor_exception();
}

/// Enqueues a committed transform.
template <class I, class O>
sycl::event transform(Committed &committed, bool forward, const I *input, O *output, const Events &before) {
    auto t = forward ? committed.forward : committed.backward;
    return enqueue(forward ? "compute_forward" : "compute_backward", committed.queue, before,
                   [=] { return pi_math_fft(&t, input, output); });
}
} // namespace

namespace oneapi::mkl::dft {
template <precision P, domain D> descriptor<P, D>::descriptor(descriptor &&from) {
    static auto theirs = reinterpret_cast<void (*)(void *, void *)>(vendors_member<P, D>("_ZN", "C1EOS5_"));
    // The vendor's constructor may call the assignment operator, which is ours.
    auto committed = descriptors().take(&from);
    theirs(this, &from);
    if (committed) descriptors().put(this, std::move(*committed));
}

template <precision P, domain D> descriptor<P, D> &descriptor<P, D>::operator=(descriptor &&from) {
    static auto theirs = reinterpret_cast<void (*)(void *, void *)>(vendors_member<P, D>("_ZN", "aSEOS5_"));
    if (this == &from) return *this;
    auto committed = descriptors().take(&from);
    descriptors().remove(this);
    theirs(this, &from);
    if (committed) descriptors().put(this, std::move(*committed));
    return *this;
}

template <precision P, domain D> descriptor<P, D>::~descriptor() {
    descriptors().remove(this);
    static auto theirs = reinterpret_cast<void (*)(void *)>(vendors_member<P, D>("_ZN", "D1Ev"));
    theirs(this);
}

template <precision P, domain D> void descriptor<P, D>::commit(sycl::queue &queue) {
    descriptors().remove(this);
    if (!is_ours(queue)) {
        static auto theirs = reinterpret_cast<void (*)(void *, sycl::queue &)>(vendors_member<P, D>("_ZN", "6commitERN4sycl3_V15queueE"));
        return theirs(this, queue);
    }
    Committed now{queue, settings(*this, true), settings(*this, false)};
    check(now.forward);
    if (const char *why = pi_math_fft_check(&now.forward)) fail("commit", why);
    if (const char *why = pi_math_fft_check(&now.backward)) fail("commit", why);
    descriptors().put(this, std::move(now));
}

template <precision P, domain D> void descriptor<P, D>::get_value(config_param what, config_value *value) const {
    if (what == config_param::commit_status && descriptors().get(this)) {
        *value = config_value::committed;
        return;
    }
    static auto theirs = reinterpret_cast<void (*)(const void *, config_param, config_value *)>(
        vendors_member<P, D>("_ZNK", "9get_valueENS1_12config_paramEPNS1_12config_valueE"));
    theirs(this, what, value);
}

#define COMPUTE(NAME, FORWARD)                                                                                                     \
    template <class D, class T> sycl::event NAME(D &which, T *data, const std::vector<sycl::event> &before) {                      \
        if (auto committed = descriptors().get(&which)) return transform(*committed, FORWARD, data, data, before);                 \
        static auto *theirs = vendor<sycl::event(D &, T *, const std::vector<sycl::event> &)>(NAME<D, T>);                         \
        return theirs(which, data, before);                                                                                        \
    }                                                                                                                              \
    template <class D, class I, class O>                                                                                           \
    sycl::event NAME(D &which, I *input, O *output, const std::vector<sycl::event> &before) {                                      \
        if (auto committed = descriptors().get(&which)) return transform(*committed, FORWARD, input, output, before);              \
        static auto *theirs = vendor<sycl::event(D &, I *, O *, const std::vector<sycl::event> &)>(NAME<D, I, O>);                 \
        return theirs(which, input, output, before);                                                                               \
    }
COMPUTE(compute_forward, true)
COMPUTE(compute_backward, false)

#define DESCRIPTOR(P, REAL, COMPLEX)                                                                                               \
    template descriptor<P, domain::real>::descriptor(descriptor &&);                                                               \
    template descriptor<P, domain::real> &descriptor<P, domain::real>::operator=(descriptor &&);                                   \
    template descriptor<P, domain::real>::~descriptor();                                                                           \
    template void descriptor<P, domain::real>::commit(sycl::queue &);                                                              \
    template void descriptor<P, domain::real>::get_value(config_param, config_value *) const;                                      \
    template descriptor<P, domain::complex>::descriptor(descriptor &&);                                                            \
    template descriptor<P, domain::complex> &descriptor<P, domain::complex>::operator=(descriptor &&);                             \
    template descriptor<P, domain::complex>::~descriptor();                                                                        \
    template void descriptor<P, domain::complex>::commit(sycl::queue &);                                                           \
    template void descriptor<P, domain::complex>::get_value(config_param, config_value *) const;                                   \
    template sycl::event compute_forward(descriptor<P, domain::complex> &, COMPLEX *, const Events &);                             \
    template sycl::event compute_forward(descriptor<P, domain::complex> &, COMPLEX *, COMPLEX *, const Events &);                  \
    template sycl::event compute_forward(descriptor<P, domain::real> &, REAL *, COMPLEX *, const Events &);                        \
    template sycl::event compute_forward(descriptor<P, domain::real> &, REAL *, const Events &);                                   \
    template sycl::event compute_backward(descriptor<P, domain::complex> &, COMPLEX *, const Events &);                            \
    template sycl::event compute_backward(descriptor<P, domain::complex> &, COMPLEX *, COMPLEX *, const Events &);                 \
    template sycl::event compute_backward(descriptor<P, domain::real> &, COMPLEX *, REAL *, const Events &);                       \
    template sycl::event compute_backward(descriptor<P, domain::real> &, REAL *, const Events &);

DESCRIPTOR(precision::single, float, ComplexF)
DESCRIPTOR(precision::two, double, ComplexD)
} // namespace oneapi::mkl::dft
