"""Compare stock scikit-learn-intelex on a GPU with scikit-learn on the host: each estimator runs on the same numbers.

Needs scikit-learn-intelex-gpu in the environment. A result is right if it agrees with scikit-learn's own.
"""

import argparse
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import sklearn.cluster
import sklearn.covariance
import sklearn.decomposition
import sklearn.ensemble
import sklearn.linear_model
import sklearn.neighbors
import sklearn.svm
from sklearn.datasets import make_blobs, make_classification, make_regression
from sklearnex import basic_statistics, cluster, config_context, covariance, decomposition, ensemble, linear_model, neighbors, svm
from sklearnex.preview import covariance as preview

# Nothing is computed by the host in place of the GPU without a word.
ON_GPU = {"allow_fallback_to_host": False, "allow_sklearn_after_onedal": False}
# Forests draw their own random numbers: what counts is how well they do.
OWN_NUMBERS = 0.02


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=2000, help="rows of the data (default: %(default)s)")
    parser.add_argument("--type", default="float32", choices=("float32", "float64"), help="the type of the data (default: %(default)s)")
    parser.add_argument("--device", default="gpu", help="SYCL's filter for the device (default: %(default)s)")
    parser.add_argument("estimators", nargs="*", help="only those whose names contain one of these words")
    return parser.parse_args()


def cases(rows, kind):
    """For each estimator: how far results may differ, and the two functions that compute them."""
    points, classes = make_classification(rows, 12, n_informative=8, random_state=0)
    blobs, _ = make_blobs(rows, 4, centers=5, cluster_std=0.5, random_state=0)
    inputs, outputs = make_regression(rows, 10, noise=1.0, random_state=0)
    points, blobs, inputs, outputs = (each.astype(kind) for each in (points, blobs, inputs, outputs))
    few = points[: rows // 10]
    # Two of three numbers are zero.
    holes = np.where(np.random.default_rng(0).random(points.shape) < 2 / 3, 0, points)
    sparse = scipy.sparse.csr_matrix(holes)
    tight = 1e-3 if kind == "float32" else 1e-6
    # Distances to a point itself come from a difference of large numbers.
    near = 3e-2 if kind == "float32" else 1e-5

    def sides(name, ours, theirs, what, tolerance=tight, **parameters):
        make = lambda module: getattr(module, name)(**parameters)  # noqa: E731
        return tolerance, lambda: what(make(ours)), lambda: what(make(theirs))

    def fitted(data, *names, targets=None):
        def run(estimator):
            estimator.fit(data) if targets is None else estimator.fit(data, targets)
            return [np.asarray(getattr(estimator, name)) for name in names]

        return run

    def scored(data, targets):
        return lambda estimator: [np.asarray(estimator.fit(data, targets).score(data, targets))]

    def nearest(estimator):
        distances, indices = estimator.fit(points).kneighbors(few)
        return [distances[:, 1:], indices[:, 1:]]

    def probable(estimator):
        return [estimator.fit(sparse, classes).predict_proba(sparse)]

    forest = {"n_estimators": 40, "random_state": 0}
    yield "k-means", *sides("KMeans", cluster, sklearn.cluster, fitted(blobs, "inertia_"), n_clusters=5, n_init=1, random_state=0)
    yield "DBSCAN", *sides("DBSCAN", cluster, sklearn.cluster, fitted(blobs, "labels_"), eps=0.5)
    principal = fitted(points, "explained_variance_", "mean_")
    yield "PCA", *sides("PCA", decomposition, sklearn.decomposition, principal, n_components=4, svd_solver="covariance_eigh")
    brute = {"n_neighbors": 5, "algorithm": "brute"}
    yield "nearest neighbours", *sides("NearestNeighbors", neighbors, sklearn.neighbors, nearest, near, **brute)
    yield "neighbours vote", *sides("KNeighborsClassifier", neighbors, sklearn.neighbors, scored(points, classes), **brute)
    yield "neighbours' mean", *sides("KNeighborsRegressor", neighbors, sklearn.neighbors, scored(inputs, outputs), **brute)
    lines = fitted(inputs, "coef_", "intercept_", targets=outputs)
    yield "linear regression", *sides("LinearRegression", linear_model, sklearn.linear_model, lines)
    yield "ridge regression", *sides("Ridge", linear_model, sklearn.linear_model, lines, alpha=0.5)
    slopes = fitted(points, "coef_", targets=classes)
    yield "logistic regression", *sides("LogisticRegression", linear_model, sklearn.linear_model, slopes, 1e-2, solver="newton-cg")
    chances = fitted(sparse, "coef_", "intercept_", targets=classes)
    yield "logistic, sparse", *sides("LogisticRegression", linear_model, sklearn.linear_model, chances, 1e-2, solver="newton-cg")
    yield "its chances", *sides("LogisticRegression", linear_model, sklearn.linear_model, probable, 1e-2, solver="newton-cg")
    groups = fitted(scipy.sparse.csr_matrix(blobs), "inertia_")
    yield "k-means, sparse", *sides("KMeans", cluster, sklearn.cluster, groups, n_clusters=5, n_init=1, random_state=0)
    yield "random forest", *sides("RandomForestClassifier", ensemble, sklearn.ensemble, scored(points, classes), OWN_NUMBERS, **forest)
    yield "forest regression", *sides("RandomForestRegressor", ensemble, sklearn.ensemble, scored(inputs, outputs), OWN_NUMBERS, **forest)
    yield "extra trees", *sides("ExtraTreesClassifier", ensemble, sklearn.ensemble, scored(points, classes), OWN_NUMBERS, **forest)
    for kernel in ("rbf", "linear", "poly"):
        yield f"SVM, {kernel}", *sides("SVC", svm, sklearn.svm, scored(points, classes), 5e-3, kernel=kernel)
    yield "covariance", *sides("EmpiricalCovariance", preview, sklearn.covariance, fitted(points, "covariance_", "location_"))

    def incremental():
        return fitted(points, "covariance_", "location_")(covariance.IncrementalEmpiricalCovariance())

    yield "covariance, in parts", tight, incremental, lambda: [np.cov(points.T, ddof=0), points.mean(0)]

    def statistics():
        return fitted(points, "variance_", "max_", "mean_")(basic_statistics.BasicStatistics())

    yield "statistics", tight, statistics, lambda: [points.var(0, ddof=1), points.max(0), points.mean(0)]

    def sparse_statistics():
        return fitted(sparse, "variance_", "max_", "mean_")(basic_statistics.BasicStatistics())

    yield "statistics, sparse", tight, sparse_statistics, lambda: [holes.var(0, ddof=1), holes.max(0), holes.mean(0)]


def timed(run):
    start = time.perf_counter()
    results = run()
    return results, time.perf_counter() - start


def compare(name, tolerance, on_gpu, on_host, device):
    """Prints a row, and answers whether the GPU's results are right."""
    expected, host_seconds = timed(on_host)
    try:
        with config_context(target_offload=device, **ON_GPU):
            timed(on_gpu)
            results, seconds = timed(on_gpu)
    except Exception as error:  # noqa: BLE001 any failure of an estimator is its row
        print(f"{name:22} FAILED: {error}", flush=True)
        return False
    scale = [max(1.0, float(np.abs(each).max())) for each in expected]
    off = max(float(np.abs(got.reshape(want.shape) - want).max()) / size for got, want, size in zip(results, expected, scale))
    is_right = off <= tolerance
    word = "right" if is_right else "WRONG"
    print(f"{name:22} {word}: off by {off:.1e} of {tolerance:.0e}; {seconds * 1e3:9.1f} ms, scikit-learn {host_seconds * 1e3:9.1f} ms", flush=True)
    return is_right


def main():
    asked = arguments()
    warnings.simplefilter("ignore")
    rows = []
    for name, *case in cases(asked.rows, asked.type):
        if not asked.estimators or any(word in name for word in asked.estimators):
            rows.append(compare(name, *case, asked.device))
    print(f"{sum(rows)} right, {len(rows) - sum(rows)} wrong")
    return 0 if all(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
