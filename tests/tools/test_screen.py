"""A terminal draws again what it has drawn; anything else is printed once."""

import io

from tools.screen import Screen


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_without_a_terminal_only_what_stays_is_printed() -> None:
    out = io.StringIO()
    screen = Screen(out)
    screen.say("a title", bold=True)
    screen.draw(["half done"])
    screen.settle(["done", "all of it"])
    assert out.getvalue() == "a title\ndone\nall of it\n"


def test_a_terminal_draws_over_what_it_has_drawn() -> None:
    out = Terminal()
    screen = Screen(out)
    screen.draw(["one", "two"])
    assert out.getvalue() == "\033[2Kone\n\033[2Ktwo\n\033[J"
    out.seek(0)
    out.truncate(0)
    screen.settle(["three"])
    assert out.getvalue() == "\033[2A\033[2Kthree\n\033[J"


def test_what_is_settled_is_not_drawn_over() -> None:
    out = Terminal()
    screen = Screen(out)
    screen.settle(["one"])
    screen.draw(["two"])
    assert "\033[1A" not in out.getvalue()


def test_a_line_too_long_for_the_terminal_is_cut_and_keeps_its_columns() -> None:
    out = Terminal()
    Screen(out).draw(["name      " + "x" * 500])
    (line,) = out.getvalue().removeprefix("\033[2K").removesuffix("\n\033[J").split("\n")
    assert len(line) < 500
    assert line.startswith("name      x")
    assert line.endswith("…")
