"""An expression ready to run.

    program = Program(check(parse("self.replicas <= 10"), environment), environment)
    program.run([self_value, old_value], size)

There are two ways to run it. The fast one counts nothing, and is taken where no input of that size could make the
evaluation cost more than it may (`bounds`); otherwise every step is counted (`counted`), and an evaluation that costs
too much ends with `BudgetExceeded`. Both give the same values and the same errors.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from kubewright.cel.bounds import most
from kubewright.cel.checked import Checked
from kubewright.cel.code import Run
from kubewright.cel.compiler import Compiled, compile_expression
from kubewright.cel.environment import Environment
from kubewright.cel.nesting import deeply
from kubewright.cel.values import BudgetExceeded, EvaluationError, Native

__all__ = ["PER_CALL_LIMIT", "Measured", "Program"]

#: What one evaluation of one expression may cost.
PER_CALL_LIMIT: Final = 1_000_000


class Measured(NamedTuple):
    """What an evaluation came to: a value or an error, and its cost."""

    value: Native
    error: EvaluationError | BudgetExceeded | None
    cost: int


class Program:
    """A compiled expression; making one raises `ConstantError` where a conversion of a constant cannot succeed."""

    __slots__ = ("_bounds", "_checked", "_counted", "_fast", "_limit", "_proven", "_room", "_variables")

    def __init__(self, checked: Checked, environment: Environment, limit: int = PER_CALL_LIMIT) -> None:
        self._checked = checked
        self._variables = environment.variables
        self._limit = limit
        compiled = deeply(compile_expression, checked, self._variables)
        self._fast = compiled.run
        self._room: list[Any] = [None] * (compiled.size - len(self._variables) - 1)
        self._counted: Compiled | None = None
        self._bounds: dict[int, int] = {}
        # The largest size of inputs for which the fast way is known to do.
        self._proven = -1

    def run(self, values: Sequence[Any], size: int) -> Native:
        """The value for these inputs, which are in the environment's order and take `size` bytes in JSON together.

        Inputs are JSON as the schema describes it; one that is optional is an `Optional` of such. Raises
        `EvaluationError` where the expression has no value, `BudgetExceeded` where it costs too much.
        """
        if size <= self._proven or self._prove(size):
            try:
                return self._fast([None, *values, *self._room])
            except RecursionError:
                return deeply(self._fast, [None, *values, *self._room])
            except (TypeError, AttributeError):
                # The object holds what its type does not promise: a null among the elements of a list, say. The other
                # way takes nothing for granted, and has the server's words for it.
                pass
        measured = self.measure(values, self._limit)
        if measured.error is not None:
            raise measured.error
        return measured.value

    def _prove(self, size: int) -> bool:
        if self.most(size) > self._limit:
            return False
        self._proven = max(self._proven, (1 << size.bit_length()) - 1)
        return True

    def most(self, size: int) -> int:
        """The most that an evaluation costs on inputs of that size; whoever has a budget can add these up."""
        bits = size.bit_length()
        found = self._bounds.get(bits)
        if found is None:
            # For all sizes up to the next power of two at once.
            found = self._bounds[bits] = deeply(most, self._checked, self._variables, 1 << bits)
        return found

    def measure(self, values: Sequence[Any], limit: int = PER_CALL_LIMIT) -> Measured:
        """The value or error and what it cost, every step counted.

        Here an input may also be `ABSENT`, which is an error where it is looked at, and one that is declared to be
        optional may be given bare.
        """
        from kubewright.cel.counted import compile_counted  # most programs are never counted
        from kubewright.cel.meter import Meter

        counted = self._counted
        if counted is None:
            counted = self._counted = deeply(compile_counted, self._checked, self._variables)
        room = [None] * (counted.size - len(self._variables) - 1)

        def count(run: Run) -> Measured:
            meter = Meter(limit)
            try:
                value, error = run([meter, *values, *room]), None
            except (EvaluationError, BudgetExceeded) as failure:
                value, error = None, failure
            if meter.cost > limit and not isinstance(error, BudgetExceeded):
                value, error = None, BudgetExceeded()
            return Measured(value, error, meter.cost)

        return deeply(count, counted.run)
