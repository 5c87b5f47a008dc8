import { edit, type Mutant } from "./edits.ts";

const rows = "src/kit/http/idempotency/idempotency-rows.ts";
const idempotency = "src/kit/http/idempotency/idempotency.ts";
const keys = "test/http/idempotency.test.ts";

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
    caughtBy: "simulator",
    rule: "a repeated request is answered",
  },
  {
    name: "a later mark takes a key",
    what: "two requests with one key, at once",
    edits: [edit(rows, "CASE WHEN NOT (", "CASE WHEN TRUE OR (")],
    caughtBy: "simulator",
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
    caughtBy: "simulator",
    rule: "a key has one answer",
  },
  {
    name: "made ids are not recorded",
    what: "a ship-now that died before its answer",
    edits: [edit(rows, "made: JSON.stringify(created)", "made: null")],
    caughtBy: "simulator",
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
    caughtBy: "simulator",
    rule: "a wrong key reaches nothing",
  },
  {
    name: "a dry run answers for the change",
    what: "a client that has tried a pause out is told that it is done, and is charged",
    edits: [edit(idempotency, "`${new URL(c.req.url).search}\\n$", "`\\n$")],
    caughtBy: { file: keys, test: "is no answer to the change itself" },
  },
  {
    name: "one answer for each media type",
    what: "a request whose bytes mean something else is answered by what they meant before",
    edits: [
      edit(idempotency, 'mediaTypeOf(c.req.header("content-type")) ?? ""', 'mediaTypeOf(undefined) ?? ""'),
    ],
    caughtBy: { file: keys, test: "the same bytes as another media type" },
  },
  {
    name: "a replay that leads nowhere",
    what: "a client whose first answer was lost does not learn where its record is",
    edits: [edit(idempotency, '["content-type", "location", "link", ', '["content-type", "link", ')],
    caughtBy: { file: keys, test: "leads to the record that was made" },
  },
];
