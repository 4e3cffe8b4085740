// A library that holds objects of a plugin in a static of its own, as a library on top of a runtime does.
#include "host.h"

namespace {
struct Holder {
    host held{};
    bool holds = false;
    ~Holder() {
        if (holds) release_all(&held);
    }
};
Holder holder;
}  // namespace

extern "C" void hold() {
    open_host(&holder.held);
    start_slow(&holder.held, 1000000);
    holder.holds = true;
}
