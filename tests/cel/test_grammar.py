from kubewright.cel.grammar import NOTHING, ORDER, State, next_tokens, rules
from kubewright.cel.lexer import END

VALUE = {
    *("[", "{", "(", ".", "-", "!", "true", "false", "null"),
    *("NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER"),
}


def states(start: State) -> set[State]:
    found: set[State] = set()
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += [edge.target for edge in state.edges]
    return found


def test_an_expression_begins_with_a_value() -> None:
    assert next_tokens(rules()["expr"]) == VALUE


def test_only_the_text_ends_with_its_end() -> None:
    assert all(END not in next_tokens(start) for start in rules().values())
    assert any(END in next_tokens(state) for state in states(rules()["start"]))


def test_every_rule_has_exactly_one_end() -> None:
    for start in rules().values():
        assert len([state for state in states(start) if not state.edges]) == 1


def test_every_token_has_a_place_in_messages() -> None:
    used = {token for start in rules().values() for state in states(start) for token in next_tokens(state)}
    assert used - {NOTHING} == set(ORDER)


def test_what_may_be_left_out_shows_what_follows() -> None:
    (after_arguments,) = [
        state for state in states(rules()["primary"]) if state.optional and next_tokens(state) == VALUE | {")"}
    ]
    assert after_arguments.decision == "block"
