// A program of oneDNN's, built with the vendor's headers: products of all layouts and types, odd calls, and refusals.
//
//   products gpu|cpu    a line for each case, "CASE<tab>ANSWER"
//
// The numbers are small integers, so that each sum is exact in every type, whatever the order of its terms.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl_graph.h>
#include <oneapi/dnnl/dnnl_graph_sycl.h>
#include <oneapi/dnnl/dnnl_sycl.h>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

using Dims = std::vector<dnnl_dim_t>;

dnnl_engine_t engine;
dnnl_stream_t stream;
sycl::queue *queue;

void tell(const std::string &name, const std::string &answer) { printf("%s\t%s\n", name.c_str(), answer.c_str()); }
void tell(const std::string &name, int answer) { tell(name, std::to_string(answer)); }

size_t size_of(dnnl_data_type_t type) {
    return type == dnnl_f64 ? 8 : type == dnnl_f32 || type == dnnl_s32 ? 4 : type == dnnl_f16 || type == dnnl_bf16 ? 2 : 1;
}

double get(const void *memory, size_t index, dnnl_data_type_t type) {
    unsigned bits;
    float number;
    switch (type) {
    case dnnl_f64: return static_cast<const double *>(memory)[index];
    case dnnl_f32: return static_cast<const float *>(memory)[index];
    case dnnl_s32: return static_cast<const int *>(memory)[index];
    case dnnl_f16: return static_cast<const sycl::half *>(memory)[index];
    case dnnl_s8: return static_cast<const signed char *>(memory)[index];
    default: bits = unsigned(static_cast<const unsigned short *>(memory)[index]) << 16; memcpy(&number, &bits, 4); return number;
    }
}

void set(void *memory, size_t index, dnnl_data_type_t type, float number) {
    unsigned bits;
    switch (type) {
    case dnnl_f64: static_cast<double *>(memory)[index] = number; return;
    case dnnl_f32: static_cast<float *>(memory)[index] = number; return;
    case dnnl_s32: static_cast<int *>(memory)[index] = int(number); return;
    case dnnl_f16: static_cast<sycl::half *>(memory)[index] = sycl::half(number); return;
    case dnnl_s8: static_cast<signed char *>(memory)[index] = static_cast<signed char>(number); return;
    default: memcpy(&bits, &number, 4); static_cast<unsigned short *>(memory)[index] = bits >> 16; // Exact for small integers.
    }
}

/// A tensor in shared memory.
struct Tensor {
    dnnl_data_type_t type;
    Dims dims, strides;
    dnnl_memory_desc_t md = nullptr;
    dnnl_memory_t memory = nullptr;
    char *data = nullptr;
    size_t count = 1;

    Tensor(dnnl_data_type_t type, Dims dims, Dims strides, size_t shift = 0) : type(type), dims(dims), strides(strides) {
        for (size_t i = 0; i < dims.size(); i++) count += dims[i] > 0 ? (dims[i] - 1) * strides[i] : 0;
        dnnl_memory_desc_create_with_strides(&md, int(dims.size()), dims.data(), type, strides.data());
        data = sycl::malloc_shared<char>((count + shift) * size_of(type), *queue);
        void *start = data += shift * size_of(type);
        dnnl_memory_create_v2(&memory, md, engine, 1, &start);
    }
    size_t place(const Dims &index) const {
        size_t place = 0;
        for (size_t i = 0; i < dims.size(); i++) place += (dims[i] == 1 ? 0 : index[i]) * strides[i];
        return place;
    }
};

int create(dnnl_primitive_desc_t *pd, const Tensor &a, const Tensor &b, const Tensor &c, dnnl_primitive_attr_t attributes = nullptr) {
    return dnnl_matmul_primitive_desc_create(pd, engine, a.md, b.md, nullptr, c.md, attributes);
}

/// Multiplies, and waits. Returns what was refused, and with which status.
std::string multiply(const Tensor &a, const Tensor &b, const Tensor &c, dnnl_primitive_attr_t attributes = nullptr) {
    dnnl_primitive_desc_t pd;
    dnnl_primitive_t primitive;
    if (int status = create(&pd, a, b, c, attributes)) return "status " + std::to_string(status);
    dnnl_primitive_create(&primitive, pd);
    // The primitive keeps what it needs.
    dnnl_primitive_desc_destroy(pd);
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, a.memory}, {DNNL_ARG_WEIGHTS, b.memory}, {DNNL_ARG_DST, c.memory}};
    if (int status = dnnl_primitive_execute(primitive, stream, 3, arguments)) return "execute " + std::to_string(status);
    dnnl_stream_wait(stream);
    dnnl_primitive_destroy(primitive);
    return "";
}

/// Multiplies, and compares every number, also those between the results.
void product(const std::string &name, Tensor a, Tensor b, Tensor c) {
    unsigned seed = 7;
    for (auto *tensor : {&a, &b})
        for (size_t i = 0; i < tensor->count; i++) seed = seed * 1103515245 + 12345, set(tensor->data, i, tensor->type, int(seed >> 16) % 3 - 1);
    for (size_t i = 0; i < c.count; i++) set(c.data, i, c.type, 99);
    if (auto refused = multiply(a, b, c); !refused.empty()) return tell("product " + name, refused);
    std::vector<double> wanted(c.count, 99);
    size_t rank = c.dims.size(), total = 1;
    for (auto length : c.dims) total *= length;
    // oneDNN leaves the result as it is if the matrices have no numbers.
    if (a.dims[rank - 1] == 0) total = 0;
    for (size_t flat = 0; flat < total; flat++) {
        Dims index(rank);
        for (size_t i = rank, rest = flat; i-- > 0; rest /= c.dims[i]) index[i] = rest % c.dims[i];
        double sum = 0;
        for (dnnl_dim_t k = 0; k < a.dims[rank - 1]; k++) {
            Dims left = index, right = index;
            left[rank - 1] = k, right[rank - 2] = k;
            sum += get(a.data, a.place(left), a.type) * get(b.data, b.place(right), b.type);
        }
        wanted[c.place(index)] = sum;
    }
    for (size_t i = 0; i < c.count; i++)
        if (get(c.data, i, c.type) != wanted[i])
            return tell("product " + name, "at " + std::to_string(i) + " " + std::to_string(get(c.data, i, c.type)) + " for " + std::to_string(wanted[i]));
    tell("product " + name, "exact");
}

/// Tells the product of one number of 13 significant bits and one, computed with attributes of a mode.
void of_13_bits(const std::string &name, dnnl_primitive_attr_t attributes) {
    Tensor a(dnnl_f32, {1, 1}, {1, 1}), b(dnnl_f32, {1, 1}, {1, 1}), c(dnnl_f32, {1, 1}, {1, 1});
    set(a.data, 0, dnnl_f32, 4097), set(b.data, 0, dnnl_f32, 1), set(c.data, 0, dnnl_f32, 99);
    auto refused = multiply(a, b, c, attributes);
    tell("4097 " + name, refused.empty() ? std::to_string(int(get(c.data, 0, dnnl_f32))) : refused);
}

void precision() {
    of_13_bits("without attributes", nullptr);
    for (auto [name, mode] : {std::pair{"strict", dnnl_fpmath_mode_strict}, {"tf32", dnnl_fpmath_mode_tf32}, {"any", dnnl_fpmath_mode_any}}) {
        dnnl_primitive_attr_t attributes;
        dnnl_primitive_attr_create(&attributes);
        dnnl_primitive_attr_set_fpmath_mode(attributes, mode);
        of_13_bits(name, attributes);
        dnnl_primitive_attr_destroy(attributes);
    }
}

/// Row-major, or with the last two dimensions exchanged.
Dims dense(const Dims &dims, bool by_columns = false) {
    size_t rank = dims.size();
    Dims strides(rank, 1);
    dnnl_dim_t step = 1;
    for (size_t i = 0; i < rank; i++) {
        size_t at = by_columns && i < 2 ? rank - 2 + i : rank - 1 - i;
        strides[at] = step, step *= std::max<dnnl_dim_t>(dims[at], 1);
    }
    return strides;
}

void products() {
    struct Types { const char *name; dnnl_data_type_t in, out; };
    for (auto [name, in, out] : {Types{"f32", dnnl_f32, dnnl_f32}, {"f64", dnnl_f64, dnnl_f64}, {"f16", dnnl_f16, dnnl_f16},
                                 {"f16 f32", dnnl_f16, dnnl_f32}, {"bf16", dnnl_bf16, dnnl_bf16}, {"bf16 f32", dnnl_bf16, dnnl_f32},
                                 {"s8 s32", dnnl_s8, dnnl_s32}}) {
        for (int layout = 0; layout < 8; layout++) {
            Dims a{3, 5}, b{5, 4}, c{3, 4};
            auto strides = [&](const Dims &dims, int bit) { return dense(dims, layout & bit); };
            product(std::string(name) + " layout " + std::to_string(layout), {in, a, strides(a, 1)}, {in, b, strides(b, 2)}, {out, c, strides(c, 4)});
            product(std::string(name) + " batch, layout " + std::to_string(layout), {in, {2, 3, 5}, strides({2, 3, 5}, 1)},
                    {in, {2, 5, 4}, strides({2, 5, 4}, 2)}, {out, {2, 3, 4}, strides({2, 3, 4}, 4)});
        }
        // As llama.cpp: rows of a cache, one matrix for all, results by columns of a larger tensor.
        product(std::string(name) + " broadcast A", {in, {1, 32, 16}, {640, 20, 1}}, {in, {3, 16, 2}, {64, 1, 30}}, {out, {3, 32, 2}, {200, 1, 100}});
        product(std::string(name) + " broadcast B", {in, {3, 8, 6}, {100, 8, 1}}, {in, {1, 6, 5}, {1, 5, 1}}, {out, {3, 8, 5}, {50, 6, 1}});
        product(std::string(name) + " odd start", {in, {7, 9}, {9, 1}, 1}, {in, {9, 3}, {1, 9}, 3}, {out, {7, 3}, {1, 7}, 1});
        product(std::string(name) + " one row", {in, {1, 9}, {77, 1}}, {in, {9, 3}, {3, 1}}, {out, {1, 3}, {5, 1}});
        product(std::string(name) + " one column", {in, {4, 9}, {9, 1}}, {in, {9, 1}, {2, 7}}, {out, {4, 1}, {1, 1}});
        product(std::string(name) + " k of one", {in, {4, 1}, {1, 1}}, {in, {1, 3}, {3, 1}}, {out, {4, 3}, {3, 1}});
        product(std::string(name) + " no rows", {in, {0, 5}, {5, 1}}, {in, {5, 4}, {4, 1}}, {out, {0, 4}, {4, 1}});
        product(std::string(name) + " no batch", {in, {0, 2, 5}, {10, 5, 1}}, {in, {0, 5, 4}, {20, 4, 1}}, {out, {0, 2, 4}, {8, 4, 1}});
        product(std::string(name) + " k of zero", {in, {3, 0}, {1, 1}}, {in, {0, 4}, {4, 1}}, {out, {3, 4}, {4, 1}});
    }
    product("f32 two batch dimensions", {dnnl_f32, {2, 3, 2, 5}, dense({2, 3, 2, 5})}, {dnnl_f32, {2, 3, 5, 4}, dense({2, 3, 5, 4})},
            {dnnl_f32, {2, 3, 2, 4}, dense({2, 3, 2, 4})});
    product("f32 larger", {dnnl_f32, {130, 67}, {67, 1}}, {dnnl_f32, {67, 33}, {1, 67}}, {dnnl_f32, {130, 33}, {1, 130}});
}

/// Odd calls, which ours answers as the vendor's CPU engine does.
void statuses() {
    Tensor a(dnnl_f32, {4, 6}, {6, 1}), b(dnnl_f32, {6, 5}, {5, 1}), c(dnnl_f32, {4, 5}, {5, 1});
    Tensor other(dnnl_f32, {7, 5}, {5, 1}), three(dnnl_f32, {1, 4, 6}, {24, 6, 1});
    dnnl_primitive_desc_t pd, odd;
    tell("status descriptor", create(&pd, a, b, c));
    tell("status lengths of k", create(&odd, a, other, c));
    tell("status lengths of m", create(&odd, a, b, other));
    tell("status ranks", create(&odd, three, b, c));
    tell("status no source", dnnl_matmul_primitive_desc_create(&odd, engine, nullptr, b.md, nullptr, c.md, nullptr));
    tell("status no room", dnnl_matmul_primitive_desc_create(nullptr, engine, a.md, b.md, nullptr, c.md, nullptr));
    Tensor b1(dnnl_f32, {1, 6, 5}, {30, 5, 1}), a2(dnnl_f32, {2, 4, 6}, {24, 6, 1}), a3(dnnl_f32, {3, 4, 6}, {24, 6, 1}),
        b2(dnnl_f32, {2, 6, 5}, {30, 5, 1}), c2(dnnl_f32, {2, 4, 5}, {20, 5, 1}), c1(dnnl_f32, {1, 4, 5}, {20, 5, 1});
    tell("status batches 3 and 2", create(&odd, a3, b2, c2));
    tell("status batches 2 and 2 into 1", create(&odd, a2, b2, c1));
    tell("status batches 2 and 1", create(&odd, a2, b1, c2));
    dnnl_engine_t its;
    tell("status engine", dnnl_primitive_desc_query(pd, dnnl_query_engine, 0, &its)), tell("status same engine", its == engine);
    tell("status inputs", dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_inputs_s32, 0));
    tell("status outputs", dnnl_primitive_desc_query_s32(pd, dnnl_query_num_of_outputs_s32, 0));
    tell("status no number", dnnl_primitive_desc_query_s32(pd, dnnl_query_primitive_kind, 0));
    dnnl_primitive_kind_t what = dnnl_undefined_primitive;
    tell("status kind", dnnl_primitive_desc_query(pd, dnnl_query_primitive_kind, 0, &what)), tell("status product", what);
    for (auto [name, what, index] : {std::tuple{"source", dnnl_query_src_md, 0}, {"weights", dnnl_query_weights_md, 0}, {"bias", dnnl_query_weights_md, 1},
                                     {"destination", dnnl_query_dst_md, 0}, {"workspace", dnnl_query_workspace_md, 0},
                                     {"source 1", dnnl_query_src_md, 1}, {"gradient", dnnl_query_diff_src_md, 0},
                                     {"argument 33", dnnl_query_exec_arg_md, 33}, {"argument 80", dnnl_query_exec_arg_md, 80}}) {
        auto md = dnnl_primitive_desc_query_md(pd, what, index);
        int rank = -1;
        if (md) dnnl_memory_desc_query(md, dnnl_query_ndims_s32, &rank);
        tell(std::string("status descriptor of ") + name, rank);
        const_dnnl_memory_desc_t same = nullptr;
        tell(std::string("status query of ") + name, dnnl_primitive_desc_query(pd, what, index, &same) == 0 ? same == md : 9);
    }
    tell("status source equal", dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(pd, dnnl_query_src_md, 0), a.md));
    dnnl_memory_desc_t any;
    dnnl_dims_t dims = {4, 6};
    dnnl_memory_desc_create_with_tag(&any, 2, dims, dnnl_f32, dnnl_format_tag_any);
    tell("status any format", dnnl_matmul_primitive_desc_create(&odd, engine, any, b.md, nullptr, c.md, nullptr));
    tell("status any format is by rows", dnnl_memory_desc_equal(dnnl_primitive_desc_query_md(odd, dnnl_query_src_md, 0), a.md));
    dnnl_primitive_desc_t copy;
    tell("status clone", dnnl_primitive_desc_clone(&copy, pd)), tell("status destroy", dnnl_primitive_desc_destroy(copy));
    const_dnnl_primitive_attr_t attributes;
    tell("status attributes", dnnl_primitive_desc_get_attr(pd, &attributes));
    dnnl_primitive_t primitive;
    tell("status primitive", dnnl_primitive_create(&primitive, pd));
    const_dnnl_primitive_desc_t of;
    tell("status its descriptor", dnnl_primitive_get_primitive_desc(primitive, &of));
    tell("status inputs of that", dnnl_primitive_desc_query_s32(of, dnnl_query_num_of_inputs_s32, 0));
    dnnl_exec_arg_t s{DNNL_ARG_SRC, a.memory}, w{DNNL_ARG_WEIGHTS, b.memory}, d{DNNL_ARG_DST, c.memory}, none{DNNL_ARG_SRC, nullptr},
        pad{DNNL_ARG_SCRATCHPAD, c.memory}, bias{DNNL_ARG_BIAS, c.memory};
    auto execute = [&](std::vector<dnnl_exec_arg_t> list, dnnl_stream_t on) { return dnnl_primitive_execute(primitive, on, int(list.size()), list.data()); };
    tell("status execute", execute({s, w, d}, stream));
    tell("status no arguments", execute({}, stream));
    tell("status two arguments", execute({s, w}, stream));
    tell("status twice the same", execute({s, s, w, d}, stream));
    tell("status null is skipped", execute({none, s, w, d}, stream));
    tell("status null for the source", execute({none, w, d}, stream));
    tell("status scratchpad", execute({s, w, d, pad}, stream));
    tell("status unused argument", execute({s, w, d, bias}, stream));
    tell("status no stream", execute({s, w, d}, nullptr));
    dnnl_engine_t second;
    dnnl_stream_t on_second;
    auto device = queue->get_device();
    auto context = queue->get_context();
    tell("status second engine", dnnl_sycl_interop_engine_create(&second, &device, &context)), tell("status another handle", second != engine);
    tell("status its stream", dnnl_sycl_interop_stream_create(&on_second, second, queue));
    tell("status stream of the second engine", execute({s, w, d}, on_second));
    tell("status destroy stream", dnnl_stream_destroy(on_second)), tell("status destroy engine", dnnl_engine_destroy(second));
    dnnl_engine_kind_t kind;
    dnnl_stream_t own;
    tell("status kind of engine", dnnl_engine_get_kind(engine, &kind));
    tell("status stream with a queue of its own", dnnl_stream_create(&own, engine, dnnl_stream_default_flags));
    tell("status execute there", execute({s, w, d}, own)), tell("status wait", dnnl_stream_wait(own));
    dnnl_engine_t of_stream;
    tell("status engine of stream", dnnl_stream_get_engine(own, &of_stream)), tell("status the same", of_stream == engine);
    void *its_queue = nullptr, *its_device = nullptr;
    tell("status queue", dnnl_sycl_interop_stream_get_queue(stream, &its_queue)), tell("status that queue", *static_cast<sycl::queue *>(its_queue) == *queue);
    tell("status device", dnnl_sycl_interop_engine_get_device(engine, &its_device)), tell("status that device", *static_cast<sycl::device *>(its_device) == device);
    dnnl_stream_destroy(own);
    dnnl_memory_t memory;
    dnnl_memory_desc_t nothing;
    void *handle = a.data, *null = nullptr, *allocate = DNNL_MEMORY_ALLOCATE, *data = nullptr;
    dnnl_memory_desc_create_with_tag(&nothing, 0, nullptr, dnnl_data_type_undef, dnnl_format_tag_undef);
    tell("status memory of nothing", dnnl_memory_create_v2(&memory, nothing, engine, 1, &handle));
    tell("status memory at null", dnnl_memory_create_v2(&memory, a.md, engine, 1, &null));
    tell("status set it", dnnl_memory_set_data_handle(memory, a.data));
    tell("status get it", dnnl_memory_get_data_handle(memory, &data)), tell("status the address", data == a.data);
    dnnl_engine_t of_memory;
    const_dnnl_memory_desc_t md;
    tell("status engine of memory", dnnl_memory_get_engine(memory, &of_memory)), tell("status that engine", of_memory == engine);
    tell("status descriptor of memory", dnnl_memory_get_memory_desc(memory, &md)), tell("status equal", dnnl_memory_desc_equal(md, a.md));
    tell("status destroy memory", dnnl_memory_destroy(memory));
    tell("status allocated memory", dnnl_memory_create(&memory, a.md, engine, allocate));
    dnnl_memory_get_data_handle(memory, &data), tell("status kind of allocated memory", int(sycl::get_pointer_type(data, context)));
    dnnl_memory_destroy(memory);
    tell("status memory of interop", dnnl_sycl_interop_memory_create(&memory, a.md, engine, dnnl_sycl_interop_usm, handle));
    dnnl_sycl_interop_memory_kind_t usm = dnnl_sycl_interop_buffer;
    tell("status kind of memory", dnnl_sycl_interop_memory_get_memory_kind(memory, &usm)), tell("status usm", usm);
    tell("status next implementation", [&] { int last; do last = dnnl_primitive_desc_next_impl(pd); while (last == dnnl_success); return last; }());
    tell("status destroy primitive", dnnl_primitive_destroy(primitive));
}

/// A part of a larger matrix, which begins inside the memory.
void part() {
    Tensor whole(dnnl_f32, {8, 8}, {8, 1}), unit(dnnl_f32, {4, 4}, {4, 1}), c(dnnl_f32, {4, 4}, {4, 1});
    for (int i = 0; i < 64; i++) set(whole.data, i, dnnl_f32, i);
    for (int i = 0; i < 16; i++) set(unit.data, i, dnnl_f32, i % 5 == 0);
    dnnl_dims_t dims = {4, 4}, at = {2, 3};
    dnnl_memory_desc_t md;
    tell("status submemory", dnnl_memory_desc_create_submemory(&md, whole.md, dims, at));
    dnnl_primitive_desc_t pd;
    dnnl_primitive_t primitive;
    dnnl_memory_t memory;
    void *start = whole.data;
    tell("status descriptor of a part", dnnl_matmul_primitive_desc_create(&pd, engine, md, unit.md, nullptr, c.md, nullptr));
    dnnl_primitive_create(&primitive, pd), dnnl_memory_create_v2(&memory, md, engine, 1, &start);
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, memory}, {DNNL_ARG_WEIGHTS, unit.memory}, {DNNL_ARG_DST, c.memory}};
    tell("status execute a part", dnnl_primitive_execute(primitive, stream, 3, arguments)), dnnl_stream_wait(stream);
    bool right = true;
    for (int i = 0; i < 16; i++) right &= get(c.data, i, dnnl_f32) == (2 + i / 4) * 8 + 3 + i % 4;
    tell("status the part", right);
}

/// Commands before and after a product, on a queue without order too.
void order(const sycl::device &device, const sycl::context &context) {
    sycl::queue loose(context, device);
    dnnl_stream_t on;
    dnnl_sycl_interop_stream_create(&on, engine, &loose);
    constexpr int n = 64;
    Tensor a(dnnl_f32, {n, n}, {n, 1}), b(dnnl_f32, {n, n}, {n, 1}), c(dnnl_f32, {n, n}, {n, 1}), d(dnnl_f32, {n, n}, {n, 1});
    std::vector<float> ones(n * n, 1);
    dnnl_primitive_desc_t pd;
    dnnl_primitive_t primitive;
    create(&pd, a, b, c), dnnl_primitive_create(&primitive, pd);
    dnnl_exec_arg_t first[] = {{DNNL_ARG_SRC, a.memory}, {DNNL_ARG_WEIGHTS, b.memory}, {DNNL_ARG_DST, c.memory}};
    dnnl_exec_arg_t second[] = {{DNNL_ARG_SRC, c.memory}, {DNNL_ARG_WEIGHTS, b.memory}, {DNNL_ARG_DST, d.memory}};
    std::vector<sycl::event> before{loose.memcpy(a.data, ones.data(), sizeof(float) * n * n), loose.memcpy(b.data, ones.data(), sizeof(float) * n * n)};
    sycl::event after;
    tell("status with events", dnnl_sycl_interop_primitive_execute(primitive, on, 3, first, &before, &after));
    tell("status the next of the stream", dnnl_primitive_execute(primitive, on, 3, second));
    dnnl_stream_wait(on), after.wait();
    bool right = true;
    for (int i = 0; i < n * n; i++) right &= get(d.data, i, dnnl_f32) == n * n;
    tell("status the order", right);
    tell("status execute without room for an event", dnnl_sycl_interop_primitive_execute(primitive, on, 3, first, nullptr, nullptr));
    dnnl_stream_wait(on), dnnl_stream_destroy(on);
}

/// What an engine of ours refuses. Other engines may do it.
void refusals() {
    Tensor a(dnnl_f32, {4, 4}, {4, 1}), apart(dnnl_f32, {4, 4}, {8, 2}), bytes(dnnl_u8, {4, 4}, {4, 1}), bias(dnnl_f32, {1, 4}, {4, 1});
    dnnl_primitive_desc_t pd = nullptr;
    tell("refused strides", create(&pd, apart, a, a));
    tell("refused strides of the result", create(&pd, a, a, apart));
    tell("refused types", create(&pd, bytes, bytes, a));
    tell("refused bias", dnnl_matmul_primitive_desc_create(&pd, engine, a.md, a.md, bias.md, a.md, nullptr));
    auto with = [&](const char *name, std::function<void(dnnl_primitive_attr_t)> change) {
        dnnl_primitive_attr_t attributes, copy;
        dnnl_primitive_attr_create(&attributes);
        change(attributes);
        tell(std::string("refused ") + name, create(&pd, a, a, a, attributes));
        dnnl_primitive_attr_clone(&copy, attributes);
        dnnl_primitive_attr_destroy(attributes);
        tell(std::string("refused copied ") + name, create(&pd, a, a, a, copy));
        dnnl_primitive_attr_destroy(copy);
        // Another one may get the address.
        dnnl_primitive_attr_create(&attributes);
        tell(std::string("status nothing left of ") + name, create(&pd, a, a, a, attributes));
        dnnl_primitive_attr_destroy(attributes);
    };
    with("scales", [](auto at) { dnnl_primitive_attr_set_scales_mask(at, DNNL_ARG_SRC, 0); });
    with("scales of groups", [](auto at) { dnnl_dims_t group = {1, 4}; dnnl_primitive_attr_set_scales(at, DNNL_ARG_WEIGHTS, 3, 2, group, dnnl_f32); });
    with("zero points", [](auto at) { dnnl_primitive_attr_set_zero_points_mask(at, DNNL_ARG_SRC, 0); });
    with("post-operations", [](auto at) {
        dnnl_post_ops_t operations;
        dnnl_post_ops_create(&operations);
        dnnl_post_ops_append_eltwise(operations, dnnl_eltwise_relu, 0, 0);
        dnnl_primitive_attr_set_post_ops(at, operations);
        dnnl_post_ops_destroy(operations);
    });
    dnnl_primitive_attr_t user;
    dnnl_primitive_attr_create(&user);
    dnnl_primitive_attr_set_scratchpad_mode(user, dnnl_scratchpad_mode_user);
    dnnl_primitive_attr_set_fpmath_mode(user, dnnl_fpmath_mode_any);
    dnnl_primitive_attr_set_deterministic(user, 1);
    tell("status permissions", create(&pd, a, a, a, user));
    tell("refused eltwise", dnnl_eltwise_forward_primitive_desc_create(&pd, engine, dnnl_forward_inference, dnnl_eltwise_relu, a.md, a.md, 0, 0, nullptr));
    tell("refused softmax", dnnl_softmax_forward_primitive_desc_create(&pd, engine, dnnl_forward_inference, dnnl_softmax_accurate, a.md, a.md, 1, nullptr));
    tell("refused reorder", dnnl_reorder_primitive_desc_create(&pd, a.md, engine, a.md, engine, nullptr));
    tell("refused binary", dnnl_binary_primitive_desc_create(&pd, engine, dnnl_binary_add, a.md, a.md, a.md, nullptr));
    dnnl_memory_t memory;
    tell("refused buffer", dnnl_sycl_interop_memory_create(&memory, a.md, engine, dnnl_sycl_interop_buffer, nullptr));
    // A graph of one product.
    dnnl_graph_graph_t graph;
    dnnl_graph_logical_tensor_t tensors[3];
    dnnl_dims_t dims = {1, 64, 64};
    for (int i = 0; i < 3; i++)
        dnnl_graph_logical_tensor_init_with_dims(&tensors[i], i, dnnl_f32, 3, dims, dnnl_graph_layout_type_strided, dnnl_graph_tensor_property_variable);
    dnnl_graph_op_t operation;
    dnnl_engine_kind_t kind;
    dnnl_engine_get_kind(engine, &kind);
    dnnl_graph_graph_create(&graph, kind);
    dnnl_graph_op_create(&operation, 9, dnnl_graph_op_matmul, "product");
    dnnl_graph_op_add_input(operation, &tensors[0]), dnnl_graph_op_add_input(operation, &tensors[1]), dnnl_graph_op_add_output(operation, &tensors[2]);
    dnnl_graph_add_op(graph, operation);
    dnnl_graph_graph_finalize(graph), dnnl_graph_graph_filter(graph, dnnl_graph_partition_policy_fusion);
    dnnl_graph_partition_t partition;
    dnnl_graph_graph_get_partitions(graph, 1, &partition);
    dnnl_graph_compiled_partition_t compiled;
    tell("status compiled partition", dnnl_graph_compiled_partition_create(&compiled, partition));
    const dnnl_graph_logical_tensor_t *in[] = {&tensors[0], &tensors[1]}, *out[] = {&tensors[2]};
    tell("refused compile", dnnl_graph_partition_compile(partition, compiled, 2, in, 1, out, engine));
    dnnl_graph_tensor_t tensor;
    tell("refused tensor of a graph", dnnl_graph_tensor_create(&tensor, &tensors[0], engine, a.data));
}

int main(int, char **arguments) {
    setvbuf(stdout, nullptr, _IOLBF, 0);
    bool gpu = arguments[1] == std::string("gpu");
    auto device = gpu ? sycl::device(sycl::gpu_selector_v) : sycl::device(sycl::cpu_selector_v);
    sycl::context context(device);
    sycl::queue in_order(context, device, sycl::property::queue::in_order());
    queue = &in_order;
    tell("status engine create", dnnl_sycl_interop_engine_create(&engine, &device, &context));
    tell("status stream create", dnnl_sycl_interop_stream_create(&stream, engine, queue));
    dnnl_primitive_desc_t pd;
    Tensor half(dnnl_f32, {1, 64, 64}, {4096, 64, 1});
    const char *name = "none";
    create(&pd, half, half, half), dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &name);
    tell("name", name);
    tell("attention of llama.cpp", getenv("GGML_SYCL_FA_ONEDNN") ? getenv("GGML_SYCL_FA_ONEDNN") : "as it wants");
    products();
    precision();
    statuses();
    part();
    order(device, context);
    refusals();
    dnnl_stream_destroy(stream), dnnl_engine_destroy(engine);
    tell("end", "reached");
}
