#include "arguments.hpp"
#include <memory>
#include <utility>
namespace oneapi::mkl::dft {
enum class precision : int { single = 35, two = 36 };
enum class domain : int { real = 33, complex = 32 };
enum class config_param : int {
    dimension = 1, lengths = 2, forward_scale = 4, backward_scale = 5,
#if ONEMKL_MAJOR == 5
    number_of_transforms = 7, placement = 11, commit_status = 22, forward_strides = 31, backward_strides = 32, forward_distance = 58, backward_distance = 59,
#else
    number_of_transforms = 6, placement = 8, forward_distance = 9, backward_distance = 10, commit_status = 12, forward_strides = 17, backward_strides = 18,
#endif
};
enum class config_value : int { committed = ONEMKL_MAJOR == 5 ? 30 : 0 };
template <precision P, domain D> class descriptor {
    void *own[64]{};
  public:
    using R = std::conditional_t<P == precision::single, float, double>;
    explicit descriptor(std::int64_t);
    explicit descriptor(std::vector<std::int64_t>);
    descriptor(descriptor &&);
    ~descriptor();
    void commit(sycl::queue &queue);
    void get_value(config_param, config_value *) const;
    void get_value(config_param, std::int64_t *) const;
    void get_value(config_param, std::vector<std::int64_t> *) const;
    void set_value(config_param, config_value);
    void set_value(config_param, std::int64_t);
    void set_value(config_param, R);
    void set_value(config_param, const std::vector<std::int64_t> &);
};
template <class D, class T> sycl::event compute_forward(D &which, T *data, const std::vector<sycl::event> &before);
template <class D, class I, class O> sycl::event compute_forward(D &which, I *, O *, const std::vector<sycl::event> &before);
template <class D, class T> sycl::event compute_backward(D &which, T *data, const std::vector<sycl::event> &before);
template <class D, class I, class O> sycl::event compute_backward(D &which, I *, O *, const std::vector<sycl::event> &before);
}
using namespace arguments;
namespace dft = oneapi::mkl::dft;
using dft::config_param;
using dft::config_value;
using Complex = dft::descriptor<dft::precision::single, dft::domain::complex>;
using Real = dft::descriptor<dft::precision::single, dft::domain::real>;


constexpr int in_place = ONEMKL_MAJOR == 5 ? 43 : 4, not_in_place = in_place + 1;

/// What is done with a descriptor between its making and its use.
enum When { never, once, before_a_setting, before_a_move, twice };

template <class D, class Forward> Routine transform(bool real, std::string name) {
    Routine r;
    r.name = name;
    // Rows of 8 numbers; of a real transform, rows of 5 complex ones, and room for 10 real ones.
    int64_t forward = real ? 10 : 8, backward = real ? 5 : 8;
    r.arguments = {{"length", 8, {-1}}, {"number_of_transforms", 2, {-1, 0}}, {"forward_distance", forward, {0, 7}}, {"backward_distance", backward, {0, 4}},
                   {"forward_offset", 0, {}}, {"forward_stride", 1, {0, 2}}, {"backward_offset", 0, {}}, {"backward_stride", 1, {0, 2}}, {"rank", 1, {0, -1, 2, 4, 8}},
                   {"committed", once, {before_a_move, twice}}, {"in_place", 0, {2}}, {"in", 1, {}}, {"out", 1, {2}}, {"backward", 0, {1}}, {"commits", 1, {0}}};
    r.together = {{{"number_of_transforms", 1}, {"forward_distance", 0}, {"backward_distance", 0}},
                  {{"backward", 1}, {"backward_distance", 0}},
                  {{"backward", 1}, {"forward_distance", 0}},
                  {{"in_place", 1}, {"out", 2}},
                  {{"in_place", 1}, {"out", 2}, {"backward", 1}},
                  {{"commits", 0}, {"forward_stride", 0}}};
    r.fill = [](Memory &m, const Values &) {
        for (auto name : {"in", "out"}) {
            auto *array = m.of<float>(name);
            for (size_t i = 0; i < Memory::bytes / sizeof(float); ++i) array[i] = float(i % 5);
        }
    };
    r.call = [](sycl::queue &q, Memory &m, const Values &v) {
        using P = config_param;
        int64_t rank = v("rank");
        std::unique_ptr<D> made(rank == 1 ? new D(v("length")) : new D(std::vector<int64_t>(rank < 0 ? 0 : rank, v("length"))));
        D *d = made.get();
        d->set_value(P::number_of_transforms, v("number_of_transforms"));
        d->set_value(P::placement, config_value(in_place - v("in_place") + 1));
        if (rank == 1) {
            d->set_value(P::forward_strides, std::vector<int64_t>{v("forward_offset"), v("forward_stride")});
            d->set_value(P::backward_strides, std::vector<int64_t>{v("backward_offset"), v("backward_stride")});
            d->set_value(P::forward_distance, v("forward_distance"));
            d->set_value(P::backward_distance, v("backward_distance"));
        }
        int64_t when = v("committed");
        if (when != never) d->commit(q);
        if (when == twice) d->commit(q);
        if (when == before_a_setting) d->set_value(P::forward_scale, typename D::R(2));
        std::unique_ptr<D> moved;
        if (when == before_a_move) moved.reset(new D(std::move(*d))), d = moved.get();
        using C = std::complex<float>;
        auto *in = m.of<Forward>("in", v);
        auto *out = m.of<C>("out", v);
        if (!v("commits")) return sycl::event();
        if (v("backward")) {
            auto e = v("out") == 2 ? dft::compute_backward(*d, in, Events{}) : dft::compute_backward(*d, out, in, Events{});
            e.wait();
            return e;
        }
        auto e = v("out") == 2 ? dft::compute_forward(*d, in, Events{}) : dft::compute_forward(*d, in, out, Events{});
        e.wait();
        return e;
    };
    return r;
}

int main() { return run({transform<Complex, std::complex<float>>(false, "dft complex"), transform<Real, float>(true, "dft real")}); }
