#!/usr/bin/env python3
"""Write files that compare include/pi/pi.h and a built plugin with the golden data: `golden.py GOLDEN OUT`.

They only depend on the JSON files in pi-core/golden, so that mistakes in pi-core are detected.

    golden_abi.c   a program that checks sizes, offsets, values, slots and signatures in pi.h
    symbols.h      the same names as an array, and the names in each version's table by slot
"""

import json
import pathlib
import re
import sys

# Names of the interface's design for two functions. The tables do not have them; a plugin exports them too.
ALIASES = ["piextEnqueueDeviceVariableRead", "piextEnqueueDeviceVariableWrite"]


def parameters(params):
    return ", ".join(param["type"] for param in params)


def is_served(structure):
    return True in structure["present"].values()


def name_of(structure):
    """What pi.h calls it. A structure with variants has one name for each."""
    name = structure.get("value_typedef") or structure["name"]
    variant = structure.get("variant") if structure.get("value_typedef") else None
    return f"{name}_{variant.replace('.', '_')}" if variant else name


def slots(functions, version):
    """The functions of a version's table by slot."""
    found = [function for function in functions["functions"] if function["slots"].get(version) is not None]
    return sorted(found, key=lambda function: function["slots"][version])


def checks(functions, enums, structs):
    """Pairs: the name of a C function, and its lines."""
    for group in enums["groups"]:
        values = [(item["name"], item["value"]) for item in group["items"]]
        yield (
            group["name"].lstrip("_"),
            [f'TEXT({name}, "{value}");' if isinstance(value, str) else f"VALUE({name}, {value});" for name, value in values],
        )
    types = structs["typedefs"] + structs["handles"]
    # Names that are no C identifier describe a parameter, not a type.
    yield "types", [f"SIZE({item['name']}, {item['size']});" for item in types if re.fullmatch(r"\w+", item["name"])]
    lines = []
    for structure in filter(is_served, structs["structs"]):
        name = name_of(structure)
        lines += [f"SIZE({name}, {structure['size']});", f"ALIGNMENT({name}, {structure['alignment']});"]
        lines += [f"FIELD({name}, {field['name']}, {field['offset']}, {field['size']});" for field in structure["fields"]]
    yield "structs", lines
    every = [{"name": "piPluginInit", "params": functions["plugin_init"]["params"]}, *functions["functions"]]
    yield "prototypes", [f"POINTER({function['name']}, ({parameters(function['params'])}));" for function in every]
    for version in functions["versions"]:
        identifier, lines = version.replace(".", "_"), []
        for slot, function in enumerate(slots(functions, version)):
            # With the signature that the function has in that version.
            older = [older["params"] for older in function.get("older_signatures", []) if version in older["versions"]]
            params = parameters(older[0] if older else function["params"])
            lines.append(f"SLOT({identifier}, {slot}, {function['name']}, ({params}));")
        yield f"table_{identifier}", [*lines, f"SIZE(pi_function_table_{identifier}, {len(lines) * 8});"]


def golden_abi(every):
    parts = ['#include "golden_abi.h"\n']
    for name, lines in every:
        parts.append(f"\nstatic void check_{name}(void)\n{{\n" + "".join(f"    {line}\n" for line in lines) + "}\n")
    calls = "".join(f"    check_{name}();\n" for name, _ in every)
    return "".join(parts) + f"\nint main(void)\n{{\n{calls}    return report();\n}}\n"


def array(comment, name, items):
    rows = "".join(f'    "{item}",\n' for item in items)
    return f"/* {comment} */\nstatic const char *const {name}[] = {{\n{rows}}};\n"


def main():
    golden, out = map(pathlib.Path, sys.argv[1:])
    functions, enums, structs = (json.loads((golden / f"{name}.json").read_text()) for name in ("functions", "enums", "structs"))
    names = sorted(["piPluginInit", *(function["name"] for function in functions["functions"]), *ALIASES])
    arrays = [array("Every symbol that a plugin exports.", "exported_symbols", names)]
    for version in functions["versions"]:
        table = [function["name"] for function in slots(functions, version)]
        arrays.append(array(f"The function table of PI {version}, by slot.", f"slots_{version.replace('.', '_')}", table))
    (out / "golden_abi.c").write_text(golden_abi(list(checks(functions, enums, structs))))
    (out / "symbols.h").write_text("\n".join(arrays))


if __name__ == "__main__":
    main()
