"""A small dpnp program that measures its first use of the device, and reports which plugin it used."""

import json
import time

start = time.perf_counter()
import dpnp

imported = time.perf_counter()
price = dpnp.linspace(10.0, 50.0, 4096)
strike = dpnp.full(4096, 30.0)
depth = dpnp.log(price / strike) + dpnp.sqrt(price) * dpnp.exp(-strike / 100.0)
total = float(dpnp.sum(0.5 + 0.5 * dpnp.erf(depth)))
used = time.perf_counter()

with open("/proc/self/maps", encoding="utf-8") as maps:
    plugins = sorted({line.split(None, 5)[5].strip() for line in maps if "/libpi_opencl" in line})
print("RESULT " + json.dumps({"seconds": used - imported, "total": total, "plugins": plugins}))
