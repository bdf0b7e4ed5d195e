// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QtEndian>
#include <cstdint>

// Zips made by hand (APPNOTE.TXT 6.3), so that they can say of themselves what is not true.
namespace headlight::fixture {

struct ZippedFile {
    QByteArray name, bytes;
    std::uint64_t says = 0;  ///< that it unpacks to so many bytes; 0: the truth
};

template <class Number>
void append(QByteArray& bytes, Number number) {
    number = qToLittleEndian(number);
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

inline std::uint32_t crcOf(const QByteArray& bytes) {
    std::uint32_t crc = ~std::uint32_t{0};
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ (0xEDB88320U & (~(crc & 1) + 1));
    }
    return ~crc;
}

inline QByteArray zipOf(const QList<ZippedFile>& files) {
    QByteArray zip, directory;
    for (const ZippedFile& file : files) {
        const QByteArray whole = qCompress(file.bytes, 9);  // four bytes, then zlib's two, and its sum behind
        const QByteArray packed = whole.mid(6, whole.size() - 10);
        const std::uint64_t says = file.says > 0 ? file.says : static_cast<std::uint64_t>(file.bytes.size());
        const bool isLarge = says > 0xFFFFFFFEU;
        QByteArray extra;
        if (isLarge) {
            append<std::uint16_t>(extra, 1);
            append<std::uint16_t>(extra, 16);
            append<std::uint64_t>(extra, says);
            append<std::uint64_t>(extra, static_cast<std::uint64_t>(packed.size()));
        }
        QByteArray common;
        append<std::uint16_t>(common, 45);  // version, then flags
        append<std::uint16_t>(common, 0);
        append<std::uint16_t>(common, 8);  // deflated
        append<std::uint32_t>(common, 0x21 << 16);
        append<std::uint32_t>(common, crcOf(file.bytes));
        append<std::uint32_t>(common, isLarge ? 0xFFFFFFFFU : static_cast<std::uint32_t>(packed.size()));
        append<std::uint32_t>(common, isLarge ? 0xFFFFFFFFU : static_cast<std::uint32_t>(says));
        append<std::uint16_t>(common, static_cast<std::uint16_t>(file.name.size()));
        append<std::uint16_t>(common, static_cast<std::uint16_t>(extra.size()));
        append<std::uint32_t>(directory, 0x02014B50);
        append<std::uint16_t>(directory, 45);
        directory += common + QByteArray(10, '\0');  // comment, disk, attributes
        append<std::uint32_t>(directory, static_cast<std::uint32_t>(zip.size()));
        directory += file.name + extra;
        append<std::uint32_t>(zip, 0x04034B50);
        zip += common + file.name + extra + packed;
    }
    const auto start = static_cast<std::uint32_t>(zip.size());
    zip += directory;
    append<std::uint32_t>(zip, 0x06054B50);
    append<std::uint32_t>(zip, 0);
    append<std::uint16_t>(zip, static_cast<std::uint16_t>(files.size()));
    append<std::uint16_t>(zip, static_cast<std::uint16_t>(files.size()));
    append<std::uint32_t>(zip, static_cast<std::uint32_t>(directory.size()));
    append<std::uint32_t>(zip, start);
    append<std::uint16_t>(zip, 0);
    return zip;
}

}  // namespace headlight::fixture
