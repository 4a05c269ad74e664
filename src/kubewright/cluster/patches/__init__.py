"""JSON patch, merge patch and strategic merge patch: pure functions over plain JSON values.

| module      | what it does                                                                       |
|-------------|------------------------------------------------------------------------------------|
| `decode`    | the bytes of a patch become a value, or are refused in the words of Go's decoder   |
| `syntax`    | what Go says of a text that is not JSON                                            |
| `json`      | JSON patch (RFC 6902): `read` once, `apply` at every attempt                       |
| `tree`      | a document while a JSON patch works on it                                          |
| `merge`     | merge patch (RFC 7386): `apply`                                                    |
| `strategic` | strategic merge patch: `apply`, guided by a `lookup.PatchType`                     |
| `lookup`    | what strategic merge must know of a type                                            |
| `order`     | the order of a list that was merged                                                |
| `values`    | JSON values as Go sees them: their types, their equality, how errors tell of them  |
| `errors`    | why a patch is not applied, sorted by what the server then answers                 |

None of them changes what it is given. Results share what was not changed with the document, and what was taken whole
with the patch: do not write into either afterwards.
"""
