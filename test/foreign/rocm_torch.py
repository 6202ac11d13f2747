# Part of fly, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Dresses a CPU torch as one for ROCm, over fly's HIP library.

Import it before triton, or give it to pytest with -p rocm_torch: programs of torch
and Triton, written for a GPU, then run without one. TRITON_LIBHIP_PATH names the
library, FLY_HIP_ARCH the chip (docs/foreign-code.md).

The device "cuda" is the CPU. What torch computes it computes there; a Triton kernel
is compiled for the chip and runs on the emulator, which is lent the memory of the
kernel's tensors for the time of the launch. A finding of checking mode is a
RuntimeError behind the launch. Streams are the default one, times mean nothing.
"""

import contextlib
import ctypes
import os
import types

import torch
import triton.runtime.jit
from torch.overrides import TorchFunctionMode

ARCH = os.environ["FLY_HIP_ARCH"]
GFX950 = ARCH == "gfx950"

_hip = ctypes.CDLL(os.environ["TRITON_LIBHIP_PATH"])
_hip.hipHostRegister.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_uint]
_hip.hipHostUnregister.argtypes = [ctypes.c_void_p]
_hip.hipGetErrorString.restype = ctypes.c_char_p


def synchronize(device=None):
    """Waits for the kernels; an error of one of them is a RuntimeError."""
    if code := _hip.hipDeviceSynchronize():
        raise RuntimeError("HIP: " + _hip.hipGetErrorString(code).decode())


class Stream:
    """The default stream, whichever was asked for."""

    cuda_stream = 0

    def __init__(self, *args, **options):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def synchronize(self):
        synchronize()

    def wait_stream(self, other):
        pass

    def wait_event(self, event):
        pass


class Event:
    def __init__(self, *args, **options):
        pass

    def record(self, stream=None):
        pass

    def wait(self, stream=None):
        pass

    def synchronize(self):
        synchronize()

    def elapsed_time(self, end):
        return 1.0


# MI355X and MI300X.
PROPERTIES = types.SimpleNamespace(
    name="AMD Instinct MI355X" if GFX950 else "AMD Instinct MI300X",
    gcnArchName=ARCH + ":sramecc+:xnack-",
    major=9,
    minor=5 if GFX950 else 4,
    multi_processor_count=256 if GFX950 else 304,
    shared_memory_per_block=163840 if GFX950 else 65536,
    max_threads_per_multi_processor=2048,
    warp_size=64,
    total_memory=64 << 30,
    L2_cache_size=4 << 20,
)


def _dress_torch():
    torch.version.hip, torch.version.cuda = "6.3", None
    torch._C._cuda_getCurrentRawStream = lambda device=None: 0
    answers = {
        "is_available": True,
        "is_initialized": True,
        "is_current_stream_capturing": False,
        "device_count": 1,
        "current_device": 0,
        "get_device_capability": (PROPERTIES.major, PROPERTIES.minor),
        "get_device_properties": PROPERTIES,
        "get_device_name": PROPERTIES.name,
        "memory_allocated": 0,
        "mem_get_info": (PROPERTIES.total_memory, PROPERTIES.total_memory),
        "current_stream": Stream(),
        "default_stream": Stream(),
    }
    for name, answer in answers.items():
        setattr(torch.cuda, name, lambda *args, answer=answer, **options: answer)
    for name in (
        "_lazy_init", "init", "set_device", "empty_cache", "manual_seed",
        "manual_seed_all", "reset_peak_memory_stats",
    ):  # fmt: skip
        setattr(torch.cuda, name, lambda *args, **options: None)
    torch.cuda.synchronize = synchronize
    torch.cuda.Stream, torch.cuda.Event = Stream, Event
    torch.cuda.device = torch.cuda.stream = lambda which: contextlib.nullcontext()
    torch.Tensor.cuda = lambda tensor, *args, **options: tensor
    torch.Tensor.is_cuda = property(lambda tensor: True)


def _host_device(device):
    """The device that stands for the given one."""
    kind = device.type if isinstance(device, torch.device) else device
    is_gpu = isinstance(kind, str) and kind.split(":")[0] in ("cuda", "hip")
    return "cpu" if is_gpu else device


class _OnTheHost(TorchFunctionMode):
    """Takes the GPU for the CPU wherever a device is named."""

    def __torch_function__(self, function, kinds, args=(), options=None):
        options = dict(options or {})
        if isinstance(options.get("device"), int):
            options["device"] = "cpu"
        elif "device" in options:
            options["device"] = _host_device(options["device"])
        if getattr(function, "__name__", "") == "to":
            args = tuple(_host_device(argument) for argument in args)
        return function(*args, **options)


def _storages(values, found):
    """Address -> bytes of what the tensors among values lie in."""
    for value in values:
        if isinstance(value, (tuple, list)):
            _storages(value, found)
        # A tensor, or a descriptor of one.
        tensor = getattr(value, "base", None)
        tensor = tensor if isinstance(tensor, torch.Tensor) else value
        if isinstance(tensor, torch.Tensor):
            storage = tensor.untyped_storage()
            found[storage.data_ptr()] = storage.nbytes()
    return found


@contextlib.contextmanager
def lent(values):
    """Kernels may use the memory of these tensors."""
    registered = []
    try:
        for address, size in _storages(values, {}).items():
            if size and _hip.hipHostRegister(address, size, 0) == 0:
                registered.append(address)
        yield
    finally:
        for address in registered:
            _hip.hipHostUnregister(address)


def _lend_to_launches():
    run = triton.runtime.jit.JITFunction.run

    def run_on_emulator(self, *args, warmup=False, **options):
        with lent([*args, *options.values()]):
            result = run(self, *args, warmup=warmup, **options)
            if not warmup:
                synchronize()
        return result

    triton.runtime.jit.JITFunction.run = run_on_emulator


_dress_torch()
_OnTheHost().__enter__()
_lend_to_launches()
