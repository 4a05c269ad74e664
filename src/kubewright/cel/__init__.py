"""CEL as Kubernetes speaks it: text in, a checked, priced and compiled expression out.

    self_type = schema_type(schema, root=True)            # schema: what rules see of a structural schema
    environment = rule_environment(self_type)             # environment: `self` and `oldSelf`
    checked = check(parse("self.replicas <= 10"), environment)
    estimate(checked, self_type).max                      # cost: what it may cost at most
    Program(checked, environment).run([value, old], size)

Each step is a module of its own, and each but the last is a pure function of what it is given:

- `parser.parse`: text to a tree (`ast`), by way of tokens (`lexer`), with macros written out (`macros`). A text that is
  no CEL is explained by `syntax`.
- `checker.check`: types (`types`) and overloads (`declarations`) for every node, then a look at literals (`verify`).
- `cost.estimate`: the most an evaluation can cost, call by call (`prices`), for values of the size the schema allows.
- `program.Program`: closures over plain objects (`compiler`), or the same with every step counted (`counted`).

`ExpressionError` (`errors`) is what a text gets that does not parse or check: its words are those of the API server.
Nothing is imported here: who needs one step does not pay for the others.
"""

__all__: list[str] = []
