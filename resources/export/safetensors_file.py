# SPDX-License-Identifier: GPL-3.0-or-later
"""The safetensors format with torch and the standard library alone: eight bytes with the length of a JSON header, the
header, and the numbers of all tensors one behind another."""
import json
import os
import struct
import warnings

import torch

DTYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
          "I64": torch.int64, "I32": torch.int32, "U8": torch.uint8, "BOOL": torch.bool}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


def read_header(file):
    """-> ({name: {dtype, shape, data_offsets}}, {key: text}); the file then stands at the first number"""
    (length,) = struct.unpack("<Q", file.read(8))
    header = json.loads(file.read(length).decode("utf-8"))
    return header, header.pop("__metadata__", {})


def load(path):
    """-> ({name: tensor}, {key: text})"""
    with open(path, "rb") as file:
        header, metadata = read_header(file)
        data = file.read()
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if begin == end:
            tensors[name] = torch.empty(entry["shape"], dtype=DTYPES[entry["dtype"]])
            continue
        with warnings.catch_warnings():  # of a buffer that is only read: clone() makes it the tensor's own
            warnings.simplefilter("ignore")
            view = torch.frombuffer(data, dtype=torch.uint8, count=end - begin, offset=begin)
        tensors[name] = view.clone().view(DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors, metadata


def save(path, tensors, metadata):
    """Writes all or nothing: to a name of its own first."""
    order = sorted(tensors, key=lambda name: (-tensors[name].element_size(), name))
    header, offset = {"__metadata__": metadata}, 0
    for name in order:
        size = tensors[name].numel() * tensors[name].element_size()
        header[name] = {"dtype": NAMES[tensors[name].dtype], "shape": list(tensors[name].shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    partial = f"{path}.partial"
    try:
        with open(partial, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            for name in order:
                numbers = tensors[name].detach().cpu().contiguous().reshape(-1)
                if numbers.numel():
                    file.write(numbers.view(torch.uint8).numpy().tobytes())
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)
