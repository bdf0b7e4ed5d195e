// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/gguf_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/tensor/number_formats.h"

namespace headlight::gguf {

static_assert(std::endian::native == std::endian::little, "the numbers are copied as they lie in the file");

namespace {

constexpr size_t smallBlock = 32;   ///< numbers in a block
constexpr size_t largeBlock = 256;  ///< in a superblock of the K types

float halfAt(const unsigned char* bytes) {
    uint16_t bits = 0;
    std::memcpy(&bits, bytes, sizeof bits);
    float value = 0;
    floatsFromHalf(1, &bits, &value);
    return value;
}

/// A block of its own, of which the compiler knows that writing numbers does not change it.
template <size_t bytes>
std::array<unsigned char, bytes> copyOf(const unsigned char* block) {
    std::array<unsigned char, bytes> copy;
    std::memcpy(copy.data(), block, bytes);
    return copy;
}

int lowerFour(unsigned char byte) {
    return byte & 0x0f;
}

int upperFour(unsigned char byte) {
    return byte >> 4;
}

float asFloat(int value) {
    return static_cast<float>(value);
}

void widenF32(const unsigned char* bytes, size_t blocks, float* out) {
    std::memcpy(out, bytes, blocks * sizeof(float));
}

/// The short numbers, whose kernels want them aligned.
template <void (*kernel)(size_t, const uint16_t*, float*)>
void widenShort(const unsigned char* bytes, size_t blocks, float* out) {
    std::array<uint16_t, 512> piece;
    for (size_t first = 0; first < blocks; first += piece.size()) {
        const size_t count = std::min(piece.size(), blocks - first);
        std::memcpy(piece.data(), bytes + first * sizeof(uint16_t), count * sizeof(uint16_t));
        kernel(count, piece.data(), out + first);
    }
}

// Blocks of 32: a half that scales, maybe a half that is added, maybe the fifth bits, and four bits a number: those of
// the first 16 numbers are the lower halves of 16 bytes, those of the others the upper ones.

void widenQ40(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t bytes = 2 + smallBlock / 2;
    for (; blocks > 0; --blocks, next += bytes, out += smallBlock) {
        const auto copy = copyOf<bytes>(next);
        const unsigned char* const block = copy.data();
        const float scale = halfAt(block);
        for (size_t i = 0; i < smallBlock / 2; ++i) {
            out[i] = asFloat(lowerFour(block[2 + i]) - 8) * scale;
            out[i + smallBlock / 2] = asFloat(upperFour(block[2 + i]) - 8) * scale;
        }
    }
}

void widenQ41(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t bytes = 4 + smallBlock / 2;
    for (; blocks > 0; --blocks, next += bytes, out += smallBlock) {
        const auto copy = copyOf<bytes>(next);
        const unsigned char* const block = copy.data();
        const float scale = halfAt(block), least = halfAt(block + 2);
        for (size_t i = 0; i < smallBlock / 2; ++i) {
            out[i] = asFloat(lowerFour(block[4 + i])) * scale + least;
            out[i + smallBlock / 2] = asFloat(upperFour(block[4 + i])) * scale + least;
        }
    }
}

/// The fifth bit of number i, where it counts.
int fifth(uint32_t bits, size_t i) {
    return static_cast<int>((bits >> i) & 1U) << 4;
}

uint32_t wordAt(const unsigned char* bytes) {
    uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

void widenQ50(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t bytes = 2 + 4 + smallBlock / 2, half = smallBlock / 2;
    for (; blocks > 0; --blocks, next += bytes, out += smallBlock) {
        const auto copy = copyOf<bytes>(next);
        const unsigned char* const block = copy.data();
        const float scale = halfAt(block);
        const uint32_t bits = wordAt(block + 2);
        for (size_t i = 0; i < half; ++i) {
            out[i] = asFloat((lowerFour(block[6 + i]) | fifth(bits, i)) - 16) * scale;
            out[i + half] = asFloat((upperFour(block[6 + i]) | fifth(bits, i + half)) - 16) * scale;
        }
    }
}

void widenQ51(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t bytes = 4 + 4 + smallBlock / 2, half = smallBlock / 2;
    for (; blocks > 0; --blocks, next += bytes, out += smallBlock) {
        const auto copy = copyOf<bytes>(next);
        const unsigned char* const block = copy.data();
        const float scale = halfAt(block), least = halfAt(block + 2);
        const uint32_t bits = wordAt(block + 4);
        for (size_t i = 0; i < half; ++i) {
            out[i] = asFloat(lowerFour(block[8 + i]) | fifth(bits, i)) * scale + least;
            out[i + half] = asFloat(upperFour(block[8 + i]) | fifth(bits, i + half)) * scale + least;
        }
    }
}

void widenQ80(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t bytes = 2 + smallBlock;
    for (; blocks > 0; --blocks, next += bytes, out += smallBlock) {
        const auto copy = copyOf<bytes>(next);
        const unsigned char* const block = copy.data();
        const float scale = halfAt(block);
        for (size_t i = 0; i < smallBlock; ++i)
            out[i] = asFloat(static_cast<signed char>(block[2 + i])) * scale;
    }
}

/// What a part of 32 numbers of a superblock is multiplied by, and what is taken off.
struct Part {
    float scale, least;
};

/// Q4_K and Q5_K: two halves scale 8 scales and 8 minima of six bits each. The first four of both are the lower six
/// bits of bytes 0 to 7; of the others the lower four are the halves of bytes 8 to 11, the upper two those that are
/// left over.
std::array<Part, 8> partsOf(const unsigned char* block) {
    const float scales = halfAt(block), minima = halfAt(block + 2);
    const unsigned char* const packed = block + 4;
    std::array<Part, 8> parts{};
    for (size_t i = 0; i < 4; ++i) {
        parts[i] = {scales * asFloat(packed[i] & 63), minima * asFloat(packed[i + 4] & 63)};
        const int scale = lowerFour(packed[i + 8]) | ((packed[i] >> 6) << 4);
        const int least = upperFour(packed[i + 8]) | ((packed[i + 4] >> 6) << 4);
        parts[i + 4] = {scales * asFloat(scale), minima * asFloat(least)};
    }
    return parts;
}

void widenQ4K(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t head = 4 + 12, bytes = head + largeBlock / 2;
    for (; blocks > 0; --blocks, next += bytes) {
        const auto block = copyOf<bytes>(next);
        const std::array<Part, 8> parts = partsOf(block.data());
        for (size_t pair = 0; pair < 4; ++pair, out += 2 * smallBlock) {
            const Part first = parts[2 * pair], second = parts[2 * pair + 1];
            const unsigned char* const numbers = block.data() + head + pair * smallBlock;
            for (size_t i = 0; i < smallBlock; ++i)
                out[i] = first.scale * asFloat(lowerFour(numbers[i])) - first.least;
            for (size_t i = 0; i < smallBlock; ++i)
                out[i + smallBlock] = second.scale * asFloat(upperFour(numbers[i])) - second.least;
        }
    }
}

void widenQ5K(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t head = 4 + 12 + largeBlock / 8, bytes = head + largeBlock / 2;
    for (; blocks > 0; --blocks, next += bytes) {
        const auto block = copyOf<bytes>(next);
        const std::array<Part, 8> parts = partsOf(block.data());
        for (size_t pair = 0; pair < 4; ++pair, out += 2 * smallBlock) {
            const Part first = parts[2 * pair], second = parts[2 * pair + 1];
            const unsigned char *const fifths = block.data() + 16, *const numbers =
                                                                       block.data() + head + pair * smallBlock;
            for (size_t i = 0; i < smallBlock; ++i)
                out[i] = first.scale * asFloat(lowerFour(numbers[i]) + fifth(fifths[i], 2 * pair)) - first.least;
            for (size_t i = 0; i < smallBlock; ++i)
                out[i + smallBlock] =
                    second.scale * asFloat(upperFour(numbers[i]) + fifth(fifths[i], 2 * pair + 1)) - second.least;
        }
    }
}

/// Of 32 numbers of Q6_K: the lower four bits are the lower or the upper half of bytes of `lowers`, the upper two those
/// of bytes of `uppers` from bit `shift` on. Each 16 have a scale of their own.
void widenSixBits(const unsigned char* lowers, int lowerShift, const unsigned char* uppers, int shift,
                  const std::array<float, 2>& scales, float* out) {
    for (size_t i = 0; i < smallBlock; ++i) {
        const int number = ((lowers[i] >> lowerShift) & 15) | (((uppers[i] >> shift) & 3) << 4);
        out[i] = scales[i / 16] * asFloat(number - 32);
    }
}

/// Lower four bits of all numbers, then the upper two, then a scale of eight bits for each 16, then what scales these.
/// In each half of the superblock number i of quarter q has its lower bits in byte (q % 2) · 32 + i and its upper ones
/// in byte i, at 2q.
void widenQ6K(const unsigned char* next, size_t blocks, float* out) {
    constexpr size_t uppers = largeBlock / 2, scales = uppers + largeBlock / 4, scale = scales + largeBlock / 16,
                     bytes = scale + 2;
    for (; blocks > 0; --blocks, next += bytes) {
        const auto block = copyOf<bytes>(next);
        const float all = halfAt(block.data() + scale);
        for (size_t half = 0; half < 2; ++half)
            for (size_t quarter = 0; quarter < 4; ++quarter, out += smallBlock) {
                const unsigned char* const own = block.data() + scales + half * 8 + quarter * 2;
                const std::array<float, 2> both{all * asFloat(static_cast<signed char>(own[0])),
                                                all * asFloat(static_cast<signed char>(own[1]))};
                widenSixBits(block.data() + half * 64 + (quarter % 2) * smallBlock, quarter < 2 ? 0 : 4,
                             block.data() + uppers + half * smallBlock, static_cast<int>(2 * quarter), both, out);
            }
    }
}

constexpr BlockType unread(uint32_t id, const char* name) {
    return {id, name, 0, 0, nullptr};
}

constexpr std::array blockTypes{
    BlockType{0, "F32", 1, 4, widenF32},
    BlockType{1, "F16", 1, 2, widenShort<floatsFromHalf>},
    BlockType{2, "Q4_0", smallBlock, 18, widenQ40},
    BlockType{3, "Q4_1", smallBlock, 20, widenQ41},
    BlockType{6, "Q5_0", smallBlock, 22, widenQ50},
    BlockType{7, "Q5_1", smallBlock, 24, widenQ51},
    BlockType{8, "Q8_0", smallBlock, 34, widenQ80},
    BlockType{12, "Q4_K", largeBlock, 144, widenQ4K},
    BlockType{13, "Q5_K", largeBlock, 176, widenQ5K},
    BlockType{14, "Q6_K", largeBlock, 210, widenQ6K},
    BlockType{30, "BF16", 1, 2, widenShort<floatsFromBrain>},
    unread(9, "Q8_1"),
    unread(10, "Q2_K"),
    unread(11, "Q3_K"),
    unread(15, "Q8_K"),
    unread(16, "IQ2_XXS"),
    unread(17, "IQ2_XS"),
    unread(18, "IQ3_XXS"),
    unread(19, "IQ1_S"),
    unread(20, "IQ4_NL"),
    unread(21, "IQ3_S"),
    unread(22, "IQ2_S"),
    unread(23, "IQ4_XS"),
    unread(24, "I8"),
    unread(25, "I16"),
    unread(26, "I32"),
    unread(27, "I64"),
    unread(28, "F64"),
    unread(29, "IQ1_M"),
    unread(34, "TQ1_0"),
    unread(35, "TQ2_0"),
    unread(39, "MXFP4"),
};

}  // namespace

const BlockType* blockType(uint32_t id) {
    const auto found = std::ranges::find(blockTypes, id, &BlockType::id);
    return found == blockTypes.end() ? nullptr : &*found;
}

}  // namespace headlight::gguf
