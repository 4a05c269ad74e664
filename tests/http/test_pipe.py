"""A connection without a socket."""

import asyncio

from kubewright.http.pipe import HIGH, End, pipe
from kubewright.trials.loop import run


class Ear(asyncio.Protocol):
    def __init__(self) -> None:
        self.heard = b""
        self.told: list[str] = []

    def data_received(self, data: bytes) -> None:
        self.heard += data

    def connection_lost(self, error: Exception | None) -> None:
        self.told.append("lost")

    def pause_writing(self) -> None:
        self.told.append("pause")

    def resume_writing(self) -> None:
        self.told.append("resume")


def ends() -> tuple[End, Ear, End, Ear]:
    here, there = pipe()
    mine, theirs = Ear(), Ear()
    here.attach(mine)
    there.attach(theirs)
    return here, mine, there, theirs


def test_what_is_written_before_the_end_arrives_before_it() -> None:
    async def story() -> None:
        here, mine, there, theirs = ends()
        here.write(b"one")
        here.write(b"two")
        here.close()
        await asyncio.sleep(0.1)
        assert (theirs.heard, theirs.told, mine.told) == (b"onetwo", ["lost"], ["lost"])
        assert there.is_closing()

    run(story())


def test_what_nobody_reads_is_kept_and_the_writer_asked_to_pause() -> None:
    async def story() -> None:
        here, mine, there, theirs = ends()
        there.pause_reading()
        here.write(b"x" * (HIGH + 1))
        await asyncio.sleep(0.1)
        assert (theirs.heard, mine.told, here.get_write_buffer_size()) == (b"", ["pause"], HIGH + 1)
        there.resume_reading()
        await asyncio.sleep(0.1)
        assert (len(theirs.heard), mine.told) == (HIGH + 1, ["pause", "resume"])

    run(story())


def test_what_is_cut_off_is_lost() -> None:
    async def story() -> None:
        here, _, _, theirs = ends()
        here.write(b"one")
        here.abort()
        await asyncio.sleep(0.1)
        assert (theirs.heard, theirs.told) == (b"", ["lost"])

    run(story())
