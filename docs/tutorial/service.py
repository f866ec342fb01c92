"""The small service in Python, to be limited: threads that serve requests which come by chance, in batches.

It differs from service.c in one thing: the interpreter's lock.  Hashing large blocks gives
it up, computing in Python does not.

    python service.py THREADS REQUESTS_PER_S BATCH CPU_MS SECONDS SEED SHARE_OF_PYTHON
"""

from __future__ import annotations

import hashlib
import queue
import random
import sys
import threading
import time

BLOCK = bytes(1 << 16)


def work(cpu_s: float, python: bool) -> None:
    """Use this much CPU time of this thread, in Python or in hashing."""
    until = time.thread_time() + cpu_s
    while time.thread_time() < until:
        if python:
            for _ in range(50):
                pass
        else:
            hashlib.sha256(BLOCK).digest()


def serve(requests: queue.Queue[tuple[float, float]], python: float, latencies: list[float]) -> None:
    """One thread: take a request, use its CPU time, note how long it took; a request of no time is the end."""
    while True:
        arrived, cpu_s = requests.get()
        if cpu_s == 0:
            return
        if python > 0:
            work(python * cpu_s, python=True)
        if python < 1:
            work((1 - python) * cpu_s, python=False)
        latencies.append(time.monotonic() - arrived)


def main() -> None:
    """Serve for a while, then print the latency of requests."""
    if len(sys.argv) != 8:
        sys.exit("service.py THREADS REQUESTS_PER_S BATCH CPU_MS SECONDS SEED SHARE_OF_PYTHON")
    threads, (rate, batch, cpu_ms, seconds, seed, python) = int(sys.argv[1]), map(float, sys.argv[2:])
    drawn = random.Random(seed)
    requests: queue.Queue[tuple[float, float]] = queue.Queue()
    latencies: list[float] = []
    running = [threading.Thread(target=serve, args=(requests, python, latencies)) for _ in range(threads)]
    for thread in running:
        thread.start()
    at = start = time.monotonic()
    while at < start + seconds:
        at += drawn.expovariate(rate / batch)
        time.sleep(max(0.0, at - time.monotonic()))
        size = 1
        while drawn.random() > 1 / batch:
            size += 1
        for _ in range(size):
            requests.put((at, drawn.expovariate(1000 / cpu_ms)))
    for _ in running:
        requests.put((0.0, 0.0))
    for thread in running:
        thread.join()
    latencies.sort()
    percentiles = ", ".join(
        f"{share} % {1000 * latencies[int(share / 100 * len(latencies))]:.0f} ms" for share in (50, 90, 95, 99)
    )
    print(f"{len(latencies)} requests: {percentiles}")


if __name__ == "__main__":
    main()
