"""Unpack a wheel in the layout of an installation: python -c ... WHEEL FOLDER."""

import os
import shutil
import sys
import zipfile

wheel, folder = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for item in archive.infolist():
        parts = item.filename.split("/")
        if item.is_dir() or ".." in parts or parts[0] == "":
            continue
        if parts[0].endswith(".data"):
            parts = parts[2:]
        place = os.path.join(folder, *parts)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with archive.open(item) as source, open(place, "wb") as out:
            shutil.copyfileobj(source, out, 1 << 20)
        mode = (item.external_attr >> 16) & 0o777
        os.chmod(place, mode | 0o644)
