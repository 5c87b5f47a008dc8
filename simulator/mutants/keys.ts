import { edit, type Mutant } from "./edits.ts";

const rows = "src/kit/http/idempotency/idempotency-rows.ts";
const idempotency = "src/kit/http/idempotency/idempotency.ts";

/** Bugs in what a request over HTTP passes: its credential, and its Idempotency-Key. */
export const keyMutants: Mutant[] = [
  {
    name: "only answered requests are found",
    what: "a request that died between its commit and its answer",
    edits: [
      edit(
        rows,
        "    .where(and(...inScope(p), isCurrent(p))),\n);",
        '    .where(and(...inScope(p), isCurrent(p), eq(keys.state, "DONE"))),\n);',
      ),
    ],
    rule: "a repeated request is answered",
  },
  {
    name: "a later mark takes a key",
    what: "two requests with one key, at once",
    edits: [edit(rows, "CASE WHEN NOT (", "CASE WHEN TRUE OR (")],
    rule: "a key has one effect",
    times: 5,
  },
  {
    name: "another answer is replayed",
    what: "a ship-now that comes again after its answer was stored",
    edits: [
      edit(
        idempotency,
        'if (earlier.state === "DONE") return replay(input.c, earlier);\n  return answerRetry',
        "return answerRetry",
      ),
    ],
    rule: "a key has one answer",
  },
  {
    name: "made ids are not recorded",
    what: "a ship-now that died before its answer",
    edits: [edit(rows, "made: JSON.stringify(created)", "made: null")],
    rule: "a repeated request is answered",
  },
  {
    name: "a key is its id",
    what: "a key whose secret is guessed",
    edits: [
      edit(
        "src/kit/http/prove.ts",
        "return holder?.key.key_hash === hash ? holder : undefined;",
        "return holder;",
      ),
    ],
    rule: "a wrong key reaches nothing",
  },
];
