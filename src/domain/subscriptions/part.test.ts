/** Joining parts of a decision loses, doubles and moves nothing, and refuses parts that contradict each other. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Statement } from "../../base/db/port.ts";
import { chargeJob } from "../../base/job.ts";
import type { Entry } from "../../kit/journal/write.ts";
import { combine, demoteEntry, type Part, withResult } from "./part.ts";

const paused = { action: "subscription_paused" } as const;
const resumed = { action: "subscription_resumed" } as const;
const placed = { action: "order_placed" } as Entry;
const updated = { action: "order_updated" } as Entry;
const [first, second]: Statement[] = [
  { sql: "SELECT 1", params: [] },
  { sql: "SELECT 2", params: [] },
];
const charge = (id: string) => chargeJob("account", { id, subscription_id: "subscription" });

describe("combine joins", () => {
  const cases: [string, (Part<unknown> | undefined)[], Part<unknown>][] = [
    ["nothing to nothing", [], {}],
    [
      "a part that is missing to nothing",
      [undefined, { columns: { note: "a" } }],
      { columns: { note: "a" } },
    ],
    ["one part to itself", [{ entry: paused, writes: [first!] }], { entry: paused, writes: [first!] }],
    [
      "the columns of all parts",
      [{ columns: { note: "a" } }, { columns: { total: 1 } }],
      { columns: { note: "a", total: 1 } },
    ],
    [
      "a column that two parts set to the same value",
      [{ columns: { dunning_episode_id: null } }, { columns: { dunning_episode_id: null } }],
      { columns: { dunning_episode_id: null } },
    ],
    [
      "defaults beside the columns that take their place",
      [{ defaults: { open_attempt_id: null } }, { columns: { open_attempt_id: "a" } }],
      { defaults: { open_attempt_id: null }, columns: { open_attempt_id: "a" } },
    ],
    [
      "jobs in the order of the parts",
      [{ jobs: [charge("a")] }, {}, { jobs: [charge("b"), charge("c")] }],
      { jobs: [charge("a"), charge("b"), charge("c")] },
    ],
    [
      "writes in the order of the parts",
      [{ writes: [second!] }, { writes: [first!] }],
      { writes: [second!, first!] },
    ],
    [
      "further entries in the order of the parts",
      [
        { ownEntries: [resumed], relatedEntries: [updated] },
        { ownEntries: [paused], relatedEntries: [placed] },
      ],
      { ownEntries: [resumed, paused], relatedEntries: [updated, placed] },
    ],
    [
      "an entry of any part",
      [{ columns: { note: "a" } }, { entry: paused }],
      { entry: paused, columns: { note: "a" } },
    ],
    [
      "metadata to the entry of another part",
      [{ metadata: { owed: 2 } }, { entry: { ...paused, metadata: { reason: "a" } } }],
      { entry: { ...paused, metadata: { reason: "a", owed: 2 } } },
    ],
    [
      "metadata without an entry to metadata",
      [{ metadata: { a: 1 } }, { metadata: { b: 2 } }],
      { metadata: { a: 1, b: 2 } },
    ],
    [
      "the records shown",
      [{ shown: { slot: undefined } }, { shown: { method: undefined } }],
      { shown: { slot: undefined, method: undefined } },
    ],
    ["a result that is false", [{ result: false }, {}], { result: false }],
  ];

  test.each(cases)("%s", (_, parts, joined) => {
    expect(combine(...parts)).toEqual(joined);
  });
});

describe("combine refuses", () => {
  const cases: [string, Part<unknown>[], string][] = [
    ["two entries", [{ entry: paused }, { entry: paused }], 'the field "entry"'],
    ["two results", [{ result: 1 }, { result: 1 }], 'the field "result"'],
    ["two values of a column", [{ columns: { note: "a" } }, { columns: { note: "b" } }], "columns.note"],
    [
      "two defaults of a column",
      [{ defaults: { note: "a" } }, { defaults: { note: null } }],
      "defaults.note",
    ],
    ["two values in the metadata", [{ metadata: { a: 1 } }, { metadata: { a: 2 } }], "metadata.a"],
    [
      "metadata that contradicts the entry's",
      [{ entry: { ...paused, metadata: { a: 1 } } }, { metadata: { a: 2 } }],
      "metadata.a",
    ],
    [
      "a record shown in two ways",
      [{ shown: { slot: undefined } }, { shown: { slot: {} as never } }],
      "shown.slot",
    ],
    ["a field that it does not know", [{ id: "order" } as Part], 'no field "id"'],
    [
      "a field with the name of a method of all objects",
      [{ toString: "order" } as never],
      'no field "toString"',
    ],
  ];

  test.each(cases)("%s", (_, parts, message) => {
    expect(() => combine(...parts)).toThrow(message);
  });
});

describe("of any parts", () => {
  const column = fc.constantFrom("note", "payment_method_id", "open_attempt_id", "last_order_id");
  const columns = fc.dictionary(column, fc.constantFrom("a", "b", null), { maxKeys: 2 });
  const entry = fc.record({ action: fc.constantFrom("subscription_paused", "subscription_resumed") });
  const list = <T>(of: fc.Arbitrary<T>) => fc.array(of, { maxLength: 3 });
  const anyPart = fc.record(
    {
      entry,
      columns,
      defaults: columns,
      metadata: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(1)),
      ownEntries: list(entry),
      relatedEntries: list(entry),
      writes: list(fc.record({ sql: fc.string(), params: fc.constant([]) })),
      jobs: list(fc.string().map(charge)),
      result: fc.nat(),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<unknown> as fc.Arbitrary<Part<number>>;
  const lists = ["ownEntries", "relatedEntries", "writes", "jobs"] as const;
  const sets = ["columns", "defaults"] as const;
  const singles = ["entry", "result"] as const;

  const settings = { seed: Number(process.env.FUZZ_SEED ?? "20261121"), numRuns: 2000 };

  function outcome(make: () => Part<unknown>): Part<unknown> | "refused" {
    try {
      return make();
    } catch {
      return "refused";
    }
  }

  function check(property: (joined: Part<number>, parts: Part<number>[]) => void): void {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 4 }), (parts) => {
        const joined = outcome(() => combine(...parts));
        if (joined !== "refused") property(joined as Part<number>, parts);
      }),
      settings,
    );
  }

  test("nothing of a list is lost, doubled or moved", () => {
    check((joined, parts) => {
      for (const field of lists)
        expect(joined[field] ?? []).toEqual(parts.flatMap((part): unknown[] => part[field] ?? []));
    });
  });

  test("each column that a part sets has that part's value, and no other is set", () => {
    check((joined, parts) => {
      for (const field of sets) {
        for (const part of parts) expect(joined[field] ?? {}).toMatchObject(part[field] ?? {});
        const names = parts.flatMap((part) => Object.keys(part[field] ?? {}));
        expect(Object.keys(joined[field] ?? {}).toSorted()).toEqual([...new Set(names)].toSorted());
      }
    });
  });

  test("the only entry and the only result are those of the part that has them", () => {
    check((joined, parts) => {
      for (const field of singles)
        expect(parts.filter((part) => part[field] !== undefined).length).toBeLessThan(2);
      expect(joined.entry?.action).toBe(parts.find((part) => part.entry)?.entry?.action);
      expect(joined.result).toBe(parts.find((part) => part.result !== undefined)?.result);
    });
  });

  test("all metadata stands in the entry, or waits for one", () => {
    check((joined, parts) => {
      const all = Object.assign({}, ...parts.map(({ metadata }) => metadata));
      expect((joined.entry ? joined.entry.metadata : joined.metadata) ?? {}).toEqual(all);
      if (joined.entry) expect(joined.metadata).toBeUndefined();
    });
  });

  test("parts that are joined one after another are the same as all at once", () => {
    fc.assert(
      fc.property(anyPart, anyPart, anyPart, (a, b, c) => {
        const atOnce = outcome(() => combine(a, b, c));
        expect(outcome(() => combine(combine(a, b), c))).toEqual(atOnce);
        expect(outcome(() => combine(a, combine(b, c)))).toEqual(atOnce);
      }),
      settings,
    );
  });

  test("a demoted entry is the first of the further entries, and nothing else changes", () => {
    fc.assert(
      fc.property(anyPart, (part) => {
        const joined = outcome(() => combine(part));
        if (joined === "refused") return;
        const { entry: main, ownEntries = [], ...rest } = joined;
        const { ownEntries: after = [], ...others } = demoteEntry(joined);
        expect(after).toEqual(main ? [main, ...ownEntries] : ownEntries);
        expect(others).toEqual(rest);
      }),
      settings,
    );
  });
});

test("another result takes the place of the part's own, and leaves the rest", () => {
  expect(withResult({ entry: paused, jobs: [charge("a")], result: 1 }, "started")).toEqual({
    entry: paused,
    jobs: [charge("a")],
    result: "started",
  });
});
