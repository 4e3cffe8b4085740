/* A picture of counts as a PNG file, without zlib: its deflate blocks are stored, not compressed. */
#ifndef SYCL_PI_DEMO_PNG_H
#define SYCL_PI_DEMO_PNG_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t png_crc(uint32_t crc, const uint8_t *data, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return crc;
}

static void png_number(uint8_t *place, uint32_t value) {
  for (int i = 0; i < 4; ++i)
    place[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void png_chunk(FILE *file, const char *kind, const uint8_t *data, size_t length) {
  uint8_t number[4];
  png_number(number, (uint32_t)length);
  fwrite(number, 1, 4, file);
  fwrite(kind, 1, 4, file);
  fwrite(data, 1, length, file);
  uint32_t crc = png_crc(0xffffffffu, (const uint8_t *)kind, 4);
  png_number(number, png_crc(crc, data, length) ^ 0xffffffffu);
  fwrite(number, 1, 4, file);
}

/* Wraps bytes as a zlib stream of stored blocks; gives its length. */
static size_t png_store(uint8_t *out, const uint8_t *data, size_t length) {
  size_t used = 0;
  uint32_t a = 1, b = 0;
  out[used++] = 0x78;
  out[used++] = 0x01;
  for (size_t done = 0; done < length;) {
    const size_t block = length - done < 65535 ? length - done : 65535;
    out[used++] = done + block == length;
    out[used++] = (uint8_t)block;
    out[used++] = (uint8_t)(block >> 8);
    out[used++] = (uint8_t)~block;
    out[used++] = (uint8_t)(~block >> 8);
    memcpy(out + used, data + done, block);
    used += block;
    done += block;
  }
  for (size_t i = 0; i < length; ++i) {
    a = (a + data[i]) % 65521;
    b = (b + a) % 65521;
  }
  png_number(out + used, b << 16 | a);
  return used + 4;
}

/* Writes the counts, dark where they reach `rounds`. */
static bool write_png(const char *path, const int *count, int width, int height, int rounds) {
  const size_t row = 1 + 3 * (size_t)width, length = row * (size_t)height;
  uint8_t *pixels = calloc(1, length);
  uint8_t *stream = malloc(length + length / 65535 * 5 + 64);
  FILE *file = fopen(path, "wb");
  bool good = pixels && stream && file;
  if (good) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int n = count[y * width + x];
        const double shade = n >= rounds ? 0.0 : sqrt((double)n / rounds);
        uint8_t *pixel = pixels + row * (size_t)y + 1 + 3 * (size_t)x;
        pixel[0] = (uint8_t)(255.0 * pow(shade, 1.6));
        pixel[1] = (uint8_t)(255.0 * shade);
        pixel[2] = (uint8_t)(255.0 * sqrt(shade));
      }
    uint8_t header[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0};
    png_number(header, (uint32_t)width);
    png_number(header + 4, (uint32_t)height);
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, file);
    png_chunk(file, "IHDR", header, sizeof header);
    png_chunk(file, "IDAT", stream, png_store(stream, pixels, length));
    png_chunk(file, "IEND", stream, 0);
    good = !ferror(file);
  }
  if (file)
    good = fclose(file) == 0 && good;
  free(pixels);
  free(stream);
  return good;
}

#endif
