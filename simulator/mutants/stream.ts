import { edit, type Mutant } from "./edits.ts";

const queries = "src/domain/events/queries.ts";
const rule = "a reader misses nothing and sees nothing twice";

/** Bugs by which a reader of the stream misses events, or sees some twice. */
export const streamMutants: Mutant[] = [
  {
    name: "numbers are given again",
    what: "after a restore new events take the numbers of those that readers have seen",
    edits: [edit("src/domain/events/actions.ts", "const gap = 1_000_000;", "const gap = 0;")],
    rule,
  },
  {
    name: "the stream by time",
    what: "events stand in the order of their times, which is not that of their commits",
    edits: [
      edit(
        queries,
        "AND sequence > ? ORDER BY sequence LIMIT ?",
        "AND sequence > ? ORDER BY created_at, sequence LIMIT ?",
      ),
    ],
    rule,
  },
  {
    name: "a page begins with the last event",
    what: "a reader gets the last event that it has seen again",
    edits: [edit(queries, "} AND sequence > $", "} AND sequence >= $")],
    rule,
  },
  {
    name: "a page per type",
    what: "of several types those of the first are read, and the others that lie before are passed over",
    edits: [edit(queries, " ORDER BY found LIMIT ", " LIMIT ")],
    rule,
  },
  {
    name: "a full page is the last",
    what: "a reader is told that nothing follows",
    edits: [edit(queries, "hasMore: found.length > limit", "hasMore: found.length > size")],
    rule,
  },
];
