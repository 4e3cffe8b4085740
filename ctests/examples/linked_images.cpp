// linked_images IMAGES [PLUGIN]: a kernel calls a function of a second image, which calls a function of a third one.
#include "support.hpp"

int main(int count, char **args) {
  return run_example(count, args, [](const std::string &images, const char *plugin) {
    Session session(plugin);
    for (const char *image : {"dl_a", "dl_b", "dl_c"}) register_image(images, image);

    auto *number = session.alloc<int32_t>(1);
    *number = 4;
    // The runtime finds the images that export what the kernel imports, and links them.
    session.launch("_ZTS3DlA", 1, {address(number)});

    std::cout << session.device_name() << ": (4 + 3) * 10 + 1 = " << *number << '\n';
    return *number == 71;
  });
}
