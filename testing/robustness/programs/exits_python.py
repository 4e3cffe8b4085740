"""exits_python.py KIND: the counterpart of exits.cpp for programs in Python, with dpctl."""

import atexit
import sys
import threading

import dpctl
import dpctl.memory

SIZE = 1 << 24
KEPT = []
HAS_HOST_TASKS = hasattr(dpctl.SyclQueue, "_submit_keep_args_alive")


def start(queue):
    """A copy that runs, with its memory."""
    one, two = (dpctl.memory.MemoryUSMShared(SIZE, queue=queue) for _ in range(2))
    if hasattr(queue, "memcpy_async"):
        return queue.memcpy_async(two, one, SIZE), one, two
    return queue.memcpy(two, one, SIZE), one, two


def python_copy():
    start(dpctl.SyclQueue())


def python_keeps_memory():
    KEPT.append(start(dpctl.SyclQueue())[1:])


def python_keeps_event():
    KEPT.append(start(dpctl.SyclQueue())[0])


def python_keeps_all():
    queue = dpctl.SyclQueue()
    KEPT.append((queue, *start(queue)))


def python_in_exit_handler():
    queue = dpctl.SyclQueue()
    atexit.register(lambda: start(queue))


def python_in_daemon_thread():
    started = threading.Event()

    def work():
        while True:
            kept = start(dpctl.SyclQueue())
            started.set()
            del kept

    threading.Thread(target=work, daemon=True).start()
    started.wait()


def python_raises():
    KEPT.append(start(dpctl.SyclQueue()))
    raise SystemExit(3)


def python_host_task():
    """The host task that keeps memory until a command is done."""
    queue = dpctl.SyclQueue()
    event, *memory = start(queue)
    queue._submit_keep_args_alive(memory, [event])


def python_keeps_event_of_host_task():
    queue = dpctl.SyclQueue()
    event, *memory = start(queue)
    KEPT.append(queue._submit_keep_args_alive(memory, [event]))


KINDS = {kind: 0 for kind in (python_copy, python_keeps_memory, python_keeps_event, python_keeps_all, python_in_exit_handler, python_in_daemon_thread)}
KINDS[python_raises] = 3
if HAS_HOST_TASKS:
    KINDS |= {python_host_task: 0, python_keeps_event_of_host_task: 0}

for kind, code in KINDS.items():
    if len(sys.argv) == 1:
        print(kind.__name__, code)
    elif sys.argv[1] == kind.__name__:
        kind()
