# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads and writes the safetensors format with numpy alone: a reading of the format apart from the program's own."""
import json
import struct

import numpy as np

DTYPES = {"F64": np.float64, "I64": np.int64, "F32": np.float32, "I32": np.int32, "F16": np.float16, "U8": np.uint8}


def load(path):
    """-> ({name: array}, {metadata key: string})"""
    with open(path, "rb") as file:
        data = file.read()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length].decode("utf-8"))
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(data[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata


def save(path, tensors, metadata):
    """Floats as F32, whole numbers as I64; the widest type first, then by name."""
    arrays = {}
    for name, values in tensors.items():
        values = np.asarray(values)  # no ascontiguousarray: it would give a scalar a dimension
        arrays[name] = values.astype("<i8" if values.dtype.kind in "iu" else "<f4", order="C")
    header, offset = {"__metadata__": metadata}, 0
    names = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))
    for name in names:
        array = arrays[name]
        dtype = "I64" if array.dtype.kind == "i" else "F32"
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [offset, offset + array.nbytes]}
        offset += array.nbytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(arrays[name].tobytes() for name in names))
