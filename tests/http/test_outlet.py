"""When a slow peer is waited for, and when it is cut."""

import asyncio

from tests.http.conftest import Run

from kubewright.http.outlet import Outlet


class Buffer(asyncio.Transport):
    """A transport whose buffer is a number."""

    def __init__(self) -> None:
        super().__init__()
        self.size = 1000
        self.aborted = asyncio.Event()
        self.asked = asyncio.Queue[int]()

    def get_write_buffer_size(self) -> int:
        self.asked.put_nowait(self.size)
        return self.size

    def abort(self) -> None:
        self.aborted.set()


def test_a_peer_that_takes_little_is_waited_for_and_one_that_takes_nothing_is_cut(run: Run) -> None:
    async def main() -> None:
        buffer = Buffer()
        outlet = Outlet(buffer, asyncio.get_running_loop(), patience=0.01)
        outlet.pause()
        for _ in range(5):
            await buffer.asked.get()
            assert not buffer.aborted.is_set()
            buffer.size -= 1
        await buffer.aborted.wait()

    run(main)


def test_who_waits_to_write_goes_on_when_there_is_room(run: Run) -> None:
    async def main() -> None:
        outlet = Outlet(Buffer(), asyncio.get_running_loop(), patience=10)
        await outlet.open()
        outlet.pause()
        waiting = [asyncio.ensure_future(outlet.open()) for _ in range(2)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in waiting)
        outlet.resume()
        await asyncio.gather(*waiting)

    run(main)
