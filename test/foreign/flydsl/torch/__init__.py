# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""As much of torch as FlyDSL, its kernels and Triton need: tensors of device
memory.

They import torch for its tensors only. This module stands in for it where its
directory comes first on the path, so that kernels run without torch. Memory is
that of the HIP library that the process loads.
"""

import contextlib
import ctypes

import numpy as np

_hip = ctypes.CDLL("libamdhip64.so.7")
_hip.hipMalloc.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_hip.hipMemcpy.argtypes = [
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_int,
]
_TO_DEVICE, _TO_HOST = 1, 2


def _check(code):
    if code:
        raise RuntimeError(f"HIP error {code}")


class dtype:
    def __init__(self, name, itemsize):
        self.name, self.itemsize = name, itemsize

    def __repr__(self):
        return "torch." + self.name


bool = dtype("bool", 1)
uint8, int8 = dtype("uint8", 1), dtype("int8", 1)
int16, int32, int64 = dtype("int16", 2), dtype("int32", 4), dtype("int64", 8)
float16, bfloat16 = dtype("float16", 2), dtype("bfloat16", 2)
float32, float64 = dtype("float32", 4), dtype("float64", 8)
float8_e5m2, float8_e4m3fn = dtype("float8_e5m2", 1), dtype("float8_e4m3fn", 1)
float8_e5m2fnuz = dtype("float8_e5m2fnuz", 1)
float8_e4m3fnuz = dtype("float8_e4m3fnuz", 1)


class version:
    hip, cuda = "6.3", None


class device:
    def __init__(self, kind="cuda", index=0):
        self.type, self.index = kind, index

    def __eq__(self, other):
        return self.type == other.type

    def __hash__(self):
        return hash(self.type)


class Tensor:
    """Elements of a type in device memory, with a shape and strides."""

    def __init__(self, array, kind):
        """A copy of a numpy array, whose elements have kind's size."""
        data = np.ascontiguousarray(array)
        assert data.itemsize == kind.itemsize
        address = ctypes.c_void_p()
        # Of nothing there is an address too.
        _check(_hip.hipMalloc(ctypes.byref(address), max(data.nbytes, 1)))
        self._set(address.value, data.shape, _row_major(data.shape), kind)
        if data.nbytes:
            _check(_hip.hipMemcpy(address, data.ctypes.data, data.nbytes, _TO_DEVICE))

    def _set(self, address, shape, strides, kind):
        self._address, self.shape, self._strides = address, tuple(shape), tuple(strides)
        self.dtype, self.device, self.is_cuda = kind, device(), True
        return self

    def numpy(self, like):
        """The elements as an array of the numpy type like."""
        assert self.is_contiguous()
        out = np.empty(self.shape, like)
        _check(_hip.hipMemcpy(out.ctypes.data, self._address, out.nbytes, _TO_HOST))
        return out

    def stride(self, dim=None):
        return self._strides if dim is None else self._strides[dim]

    def data_ptr(self):
        return self._address

    def element_size(self):
        return self.dtype.itemsize

    def numel(self):
        return int(np.prod(self.shape))

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def is_contiguous(self):
        return self._strides == _row_major(self.shape)

    def contiguous(self):
        assert self.is_contiguous()
        return self

    def view(self, *shape):
        assert self.is_contiguous()
        known = int(np.prod([n for n in shape if n != -1]))
        shape = [self.numel() // known if n == -1 else n for n in shape]
        view = Tensor.__new__(Tensor)
        return view._set(self._address, shape, _row_major(shape), self.dtype)

    def __dlpack__(self, stream=None):
        return _capsule_of(self)

    def t(self):
        view = Tensor.__new__(Tensor)
        shape, strides = reversed(self.shape), reversed(self._strides)
        return view._set(self._address, shape, strides, self.dtype)


def _row_major(shape):
    return tuple(int(np.prod(shape[i + 1 :])) for i in range(len(shape)))


class _DLTensor(ctypes.Structure):
    """DLManagedTensor of DLPack 0, whose first part is DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int),
        ("device_id", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


_DL_ROCM, _DL_INT, _DL_UINT, _DL_FLOAT, _DL_BFLOAT = 10, 0, 1, 2, 4
_DL_CODES = {"int": _DL_INT, "uint": _DL_UINT, "float": _DL_FLOAT, "bfloat": _DL_BFLOAT}
_exported = []  # kept for as long as the process lives


def _capsule_of(tensor):
    dims = ctypes.c_int64 * tensor.ndim
    name = tensor.dtype.name.rstrip("0123456789")
    data = _DLTensor(
        tensor.data_ptr(),
        _DL_ROCM,
        0,
        tensor.ndim,
        _DL_CODES[name],
        8 * tensor.element_size(),
        1,
        dims(*tensor.shape),
        dims(*tensor.stride()),
    )
    _exported.append(data)
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(ctypes.addressof(data), b"dltensor", None)


def zeros(shape, dtype=float32, device=None):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return Tensor(np.zeros(shape, f"V{dtype.itemsize}"), dtype)


empty = zeros


class cuda:
    class Stream:
        cuda_stream = 0

    @staticmethod
    def current_stream(device=None):
        return cuda.Stream()

    @staticmethod
    def device(index):
        return contextlib.nullcontext()

    @staticmethod
    def current_device():
        return 0

    @staticmethod
    def set_device(index):
        assert index == 0

    @staticmethod
    def get_device_capability(device=None):
        return 9, 4

    @staticmethod
    def is_available():
        return True

    @staticmethod
    def synchronize():
        _check(_hip.hipDeviceSynchronize())


class _C:
    """What kernels look for here they can do without."""


class autograd:
    class Function:
        """Kernels derive their own from it; none is used."""
