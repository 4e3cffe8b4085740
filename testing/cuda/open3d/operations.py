"""Compare operations of stock Open3D (open3d-xpu) on a SYCL device with its own code for the CPU.

    PI_CUDA_AS=level_zero python operations.py [NAME...]      all operations, or those whose name contains a word

Run it with the Python of an environment that has open3d-xpu and our files. An operation is right if both devices give the same arrays, the
same within rounding for floating-point numbers. It counts as neither if the processor's own code refuses it.

Exit code 0: nothing is wrong or refused on the device. 1: something is.
"""

import sys
import time

import numpy as np
import open3d as o3d

core, geometry = o3d.core, o3d.t.geometry
DEVICE, HOST = core.Device("SYCL:0"), core.Device("CPU:0")
OPERATIONS = {}
RANDOM = np.random.default_rng(7)
A, B = (RANDOM.uniform(0.5, 2, (300, 200)).astype(np.float32) for _ in range(2))
SQUARE = RANDOM.standard_normal((64, 64)) + 16 * np.eye(64)
INTEGERS = RANDOM.integers(0, 50, (4000, 3)).astype(np.int32)
POINTS = RANDOM.uniform(-1, 1, (2000, 3)).astype(np.float32)
POSE = np.array([[0.995, -0.0998, 0, 0.02], [0.0998, 0.995, 0, -0.01], [0, 0, 1, 0.03], [0, 0, 0, 1]])
PICTURE = RANDOM.uniform(0, 1, (120, 160, 3)).astype(np.float32)
# A tilted plane in millimetres, as a depth camera sees it.
DEPTH = (1000 + np.add.outer(2 * np.arange(120), np.arange(160))).astype(np.uint16)
LENS = np.array([[100.0, 0, 80], [0, 100.0, 60], [0, 0, 1]])


def operation(function):
    OPERATIONS[function.__name__] = function
    return function


def tensor(array, device):
    return core.Tensor(array, device=device)


def rows(array):
    """The rows in order: the devices give sets in orders of their own."""
    array = np.asarray(array)
    return array[np.lexsort(np.round(array, 4).T[::-1])]


def arithmetic(name, function):
    def both(device):
        return [function(tensor(A, device), tensor(B, device))]

    both.__name__ = name
    operation(both)


for name, function in {
    "add": lambda a, b: a + b,
    "multiply_and_subtract": lambda a, b: a * b - a,
    "divide": lambda a, b: a / b,
    "square_root": lambda a, b: a.sqrt(),
    "exponential": lambda a, b: (-a).exp(),
    "sine_and_cosine": lambda a, b: a.sin() + b.cos(),
    "floor_and_round": lambda a, b: (a * 7).floor() + (b * 7).round(),
    "compare": lambda a, b: (a > b).logical_or(a.le(1.0)),
    "convert": lambda a, b: (a * 100).to(core.int16),
    "sum_of_columns": lambda a, b: a.sum(dim=0),
    "product_of_rows": lambda a, b: (a * 0.8).prod(dim=1),
    "least_and_greatest": lambda a, b: a.min(dim=1) + b.max(dim=1),
    "place_of_the_greatest": lambda a, b: a.argmax(dim=1),
    "transpose": lambda a, b: a.T().contiguous(),
    "product_of_matrices": lambda a, b: a @ b.T(),
    "append": lambda a, b: a.append(b, axis=0),
}.items():
    arithmetic(name, function)


@operation
def boolean_index(device):
    a = tensor(A, device)
    return [a[a > 1.0]]


@operation
def index_by_integers(device):
    return [tensor(A, device)[tensor(np.arange(0, 300, 7), device)]]


@operation
def assign_to_a_slice(device):
    a = tensor(A, device)
    a[10:200:3, 5:50] = tensor(B, device)[10:200:3, 5:50]
    return [a]


@operation
def nonzero(device):
    return [tensor(INTEGERS, device).nonzero(as_tuple=True)]


@operation
def solve(device):
    return [core.solve(tensor(SQUARE, device), tensor(SQUARE[:, :3].copy() + 1, device))]


@operation
def inverse(device):
    return [core.inv(tensor(SQUARE, device))]


@operation
def singular_values(device):
    return [core.svd(tensor(SQUARE, device))[1]]


@operation
def least_squares(device):
    return [core.lstsq(tensor(A.astype(np.float64), device), tensor(B[:, :2].astype(np.float64).copy(), device))]


@operation
def triangles_of_lu(device):
    permutation, lower, upper = core.lu(tensor(SQUARE, device))
    return [permutation @ (lower @ upper)]


@operation
def hash_set(device):
    found = core.HashSet(8000, core.int32, (3,), device)
    found.insert(tensor(INTEGERS, device))
    return [rows(found.key_tensor()[found.active_buf_indices().to(core.int64)].cpu().numpy())]


@operation
def hash_map(device):
    keys = np.arange(3000, dtype=np.int64)[:, None]
    known = core.HashMap(6000, core.int64, (1,), core.float32, (2,), device)
    known.insert(tensor(keys, device), tensor(np.hstack([keys, -keys]).astype(np.float32), device))
    known.erase(tensor(keys[::3].copy(), device))
    places, found = known.find(tensor(keys, device))
    return [found, known.value_tensor()[places.to(core.int64)[found]]]


def cloud(device, points=POINTS):
    return geometry.PointCloud(tensor(points, device))


@operation
def transform_of_a_cloud(device):
    return [cloud(device).transform(tensor(POSE, device)).point.positions]


@operation
def voxels_of_a_cloud(device):
    return [rows(cloud(device).voxel_down_sample(0.2).point.positions.cpu().numpy())]


@operation
def nearest_neighbours(device):
    search = core.nns.NearestNeighborSearch(tensor(POINTS, device))
    search.knn_index()
    return list(search.knn_search(tensor(POINTS[:100] + 0.001, device), 5))


@operation
def neighbours_within_a_radius(device):
    search = core.nns.NearestNeighborSearch(tensor(POINTS, device))
    search.hybrid_index(0.3)
    return [search.hybrid_search(tensor(POINTS[:100] + 0.001, device), 0.3, 8)[2]]


@operation
def normals(device):
    known = cloud(device)
    known.estimate_normals(max_nn=20, radius=0.5)
    return [abs(known.point.normals.cpu().numpy())]


@operation
def registration(device):
    source, target = cloud(device), cloud(device).transform(tensor(POSE, device))
    # Two clouds with noise between them: the result is where most points meet.
    found = o3d.t.pipelines.registration.icp(source, target, 0.2)
    # It is kept in double, and computed from floats.
    return [found.transformation.to(core.float32)]


def picture(device):
    return geometry.Image(tensor(PICTURE, device))


def filtered(name, function):
    def both(device):
        return [function(picture(device)).as_tensor()]

    both.__name__ = name
    operation(both)


for name, function in {
    "gray_picture": lambda image: image.rgb_to_gray(),
    "gaussian_filter": lambda image: image.rgb_to_gray().filter_gaussian(5, 1.0),
}.items():
    filtered(name, function)


def depth(device):
    return geometry.Image(tensor(DEPTH[:, :, None].copy(), device))


@operation
def vertex_map(device):
    clipped = depth(device).clip_transform(1000.0, 0.0, 3.0, float("nan"))
    return [clipped.create_vertex_map(tensor(LENS, HOST), float("nan")).as_tensor()]


@operation
def normal_map(device):
    clipped = depth(device).clip_transform(1000.0, 0.0, 3.0, float("nan"))
    return [clipped.create_vertex_map(tensor(LENS, HOST), float("nan")).create_normal_map(float("nan")).as_tensor()]


@operation
def cloud_of_a_depth_picture(device):
    return [rows(geometry.PointCloud.create_from_depth_image(depth(device), tensor(LENS, HOST)).point.positions.cpu().numpy())]


@operation
def surface_of_depth_pictures(device):
    kinds = (core.float32, core.float32, core.float32)
    grid = geometry.VoxelBlockGrid(("tsdf", "weight", "color"), kinds, ((1), (1), (3)), 3.0 / 512, 16, 20000, device)
    pose, lens = tensor(np.eye(4), HOST), tensor(LENS, HOST)
    colours = geometry.Image(tensor((255 * PICTURE).astype(np.uint8), device))
    for _ in range(3):
        blocks = grid.compute_unique_block_coordinates(depth(device), lens, pose, 1000.0, 3.0)
        grid.integrate(blocks, depth(device), colours, lens, lens, pose, 1000.0, 3.0)
    return [rows(grid.extract_point_cloud().point.positions.cpu().numpy())]


def arrays(results):
    return [result if isinstance(result, np.ndarray) else result.cpu().numpy() for result in results]


def same(ours, other):
    """Within rounding for the type that the numbers have. Products of hundreds of floats differ by their order."""
    if ours.shape != other.shape or ours.dtype != other.dtype:
        return False
    if ours.dtype.kind != "f":
        return np.array_equal(ours, other)
    return np.allclose(ours, other, rtol=2e-4 if ours.dtype == np.float32 else 1e-9, atol=2e-4 if ours.dtype == np.float32 else 1e-9, equal_nan=True)


def judge(function):
    try:
        wanted = arrays(function(HOST))
    except RuntimeError as error:
        return "neither", f"the processor's code refuses it: {error}".splitlines()[0]
    start = time.perf_counter()
    try:
        got = arrays(function(DEVICE))
    except RuntimeError as error:
        return "refused", " ".join(str(error).split())[-300:]
    if len(got) == len(wanted) and all(map(same, got, wanted)):
        return "right", f"{1000 * (time.perf_counter() - start):.0f} ms with its compilation"
    apart = [f"{one.shape} {one.dtype}" if one.shape != other.shape else f"off by {np.nanmax(abs(one.astype(float) - other.astype(float)))}" for one, other in zip(got, wanted)]
    return "wrong", ", ".join(apart)


def main():
    words = sys.argv[1:]
    counts = dict.fromkeys(("right", "wrong", "refused", "neither"), 0)
    for name, function in OPERATIONS.items():
        if words and not any(word in name for word in words):
            continue
        outcome, text = judge(function)
        counts[outcome] += 1
        print(f"{outcome:8} {name.replace('_', ' ')}: {text}", flush=True)
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if counts["wrong"] or counts["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
