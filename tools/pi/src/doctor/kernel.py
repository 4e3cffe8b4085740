"""Adds two vectors on a device with packages of this environment.

Without an argument it prints which package would do it, and the devices. With a device's index, it computes. The
last line is the answer in JSON.
"""

import importlib.util
import json
import sys

import dpctl

COUNT = 1024


def has_arrays(name):
    """Whether a package can create arrays. One that cannot be imported counts: what fails is told when it computes."""
    if not importlib.util.find_spec(name):
        return False
    try:
        return hasattr(importlib.import_module(name), "arange")
    except Exception:
        return True


def package():
    """dpctl has arrays until 0.21, except its first releases; then dpnp has them."""
    return next((name for name in ["dpctl.tensor", "dpnp"] if has_arrays(name)), None)


def described(device, before):
    backend = device.backend.name
    number = sum(other.backend.name == backend for other in before)
    return {
        "backend": backend,
        "number": number,
        "tag": device.filter_string,
        "name": device.name,
        "vendor": device.vendor,
    }


def compute(device):
    arrays = importlib.import_module(package())
    one = arrays.arange(COUNT, dtype="int32", device=device)
    sums = arrays.asnumpy(one + one).tolist()
    if sums != [2 * number for number in range(COUNT)]:
        raise ValueError("the kernel ran, and its sums are wrong")


def main():
    devices = dpctl.get_devices()
    if len(sys.argv) == 1:
        all = [described(device, devices[:index]) for index, device in enumerate(devices)]
        return {"package": package(), "devices": all}
    try:
        compute(devices[int(sys.argv[1])])
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"error": None}


print(json.dumps(main()))
