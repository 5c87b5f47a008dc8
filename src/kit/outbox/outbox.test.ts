/** Work that waits is ended only by whoever took it last, and stays due if it was asked for anew. */
import { eq } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryDatabase } from "../../../scripts/simulate/sqlite.ts";
import type { Db, Statement } from "../../base/db/port.ts";
import { build, first, raw, statement } from "../../base/db/statement.ts";
import { defineOutbox, dueBy } from "./outbox.ts";

const tasks = sqliteTable("tasks", {
  account_seq: text().notNull(),
  task_id: text().notNull(),
  due_at: text(),
  lease_until: text(),
  tries: integer().notNull(),
  version: integer().notNull(),
  done_at: text(),
});
const names = { table: tasks, id: "task_id", due: "due_at", lease: "lease_until" } as const;
const fenced = defineOutbox({ ...names, open: eq(tasks.version, 1), fence: ["tries", "lease_until"] });
const marked = defineOutbox({ ...names, mark: ["version"] });

const [now, soon, next] = [
  "2026-11-20T12:00:00.000Z",
  "2026-11-20T12:01:00.000Z",
  "2026-11-20T13:00:00.000Z",
];
const read = {
  account_seq: "a",
  task_id: "t",
  due_at: now,
  lease_until: soon,
  tries: 1,
  version: 1,
  done_at: null,
};
let db: Db;

beforeEach(async () => {
  db = memoryDatabase();
  const columns =
    "account_seq TEXT, task_id TEXT, due_at TEXT, lease_until TEXT, tries INTEGER, version INTEGER, done_at TEXT";
  await run(raw(`CREATE TABLE tasks (${columns})`));
  for (const names of [{}, { account_seq: "b" }, { task_id: "u" }])
    await run(statement(build.insert(tasks).values({ ...read, ...names })));
});

async function run(written: Statement): Promise<unknown[]> {
  const [result] = await db.batch([written], "write");
  return result!.rows;
}

const change = (set: Partial<typeof tasks.$inferInsert>) =>
  run(statement(build.update(tasks).set(set).where(eq(tasks.account_seq, "a"))));
const row = () => first(db, statement(build.select().from(tasks).where(eq(tasks.account_seq, "a")).limit(1)));
/** Rows that are not the task's, which no verb may touch. */
const others = () => db.batch([raw("SELECT * FROM tasks WHERE account_seq = 'b' OR task_id = 'u'")], "read");

const verbs: [string, (outbox: typeof marked) => Statement, object][] = [
  [
    "done",
    (outbox) => outbox.done(read, { done_at: now }),
    { due_at: null, lease_until: null, done_at: now },
  ],
  [
    "later",
    (outbox) => outbox.later(read, next, { tries: 2 }),
    { due_at: next, lease_until: null, tries: 2 },
  ],
  [
    "later, with a lease",
    (outbox) => outbox.later(read, next, { lease_until: next }),
    { due_at: next, lease_until: next },
  ],
  [
    "give up",
    (outbox) => outbox.giveUp(read, { done_at: now }),
    { due_at: null, lease_until: null, done_at: now },
  ],
];

describe.each(verbs)("%s", (_, verb, expected) => {
  test.each([
    { by: "a fence", outbox: fenced },
    { by: "a mark", outbox: marked },
  ])("writes the row of an outbox with $by, and no other", async ({ outbox }) => {
    const before = await others();
    await run(verb(outbox as typeof marked));
    expect(await row()).toEqual({ ...read, ...expected });
    expect(await others()).toEqual(before);
  });

  test.each([
    { what: "taken by somebody else", set: { tries: 2 } },
    { what: "leased anew", set: { lease_until: next } },
    { what: "ended", set: { version: 2 } },
  ])("writes nothing of work that was $what since", async ({ set }) => {
    await change(set);
    await run(verb(fenced as typeof marked));
    expect(await row()).toEqual({ ...read, ...set });
  });

  test("leaves work due that was asked for anew since, and ends its own part of it", async () => {
    await change({ version: 2, due_at: soon });
    await run(verb(marked));
    expect(await row()).toEqual({ ...read, ...expected, version: 2, due_at: soon });
  });
});

test("done leaves work due whose condition does not hold", async () => {
  await run(marked.done(read, {}, eq(tasks.tries, 7)));
  expect(await row()).toMatchObject({ due_at: now, lease_until: null });
});

test("drop deletes work, but none that was asked for anew or taken since", async () => {
  await run(marked.drop({ ...read, version: 0 }));
  await run(fenced.drop({ ...read, tries: 0 }));
  expect(await row()).toMatchObject({ task_id: "t" });
  const before = await others();
  await run(marked.drop(read));
  expect(await first(db, statement(build.select().from(tasks).where(eq(tasks.task_id, "t"))))).toMatchObject({
    account_seq: "b",
  });
  expect(await others()).toEqual(before);
});

test("take returns the row once: its fence is as it was read", async () => {
  const take = () => run(fenced.take(read, { tries: 2 }));
  expect(await take()).toEqual([{ ...read, tries: 2 }]);
  expect(await take()).toEqual([]);
});

test("takeDue returns the row once: nobody has it, and its fence is as it was read", async () => {
  const takeAt = (at: string) => run(fenced.takeDue(read, { tries: 2 }, at));
  expect(await takeAt(now)).toEqual([]);
  expect(await takeAt(soon)).toEqual([{ ...read, tries: 2 }]);
  expect(await takeAt(soon)).toEqual([]);
});

test("work that waits for longer than the sweep puts it off is not due", async () => {
  for (const [due_at, isDue] of [
    [dueBy(now), 1],
    [next, 0],
  ] as const) {
    await change({ due_at, tries: 1, lease_until: now });
    expect(await run(fenced.takeDue({ ...read, lease_until: now }, { tries: 2 }, now))).toHaveLength(isDue);
  }
});

test("a lease that has ended leaves work free", async () => {
  expect(await run(marked.takeDue(read, { tries: 2 }, now))).toEqual([]);
  expect(await run(marked.takeDue(read, { tries: 2 }, soon))).toHaveLength(1);
});
