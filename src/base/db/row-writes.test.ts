/** Writes of rows are the statements that Drizzle's builder makes, and an update always says which rows it is for. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { insertRow, updateLivingRows, updateRow } from "./row-writes.ts";
import { build, type Params, prepare, statement } from "./statement.ts";

const pets = sqliteTable("pets", {
  id: text().notNull(),
  account_seq: text().notNull(),
  name: text().notNull(),
  age: integer().notNull().default(1),
  note: text(),
});
const rex = { id: "p1", account_seq: "a1", name: "Rex" };

test.each([
  ["the columns that are given", rex],
  ["null", { ...rex, note: null }],
  ["every column, in another order", { note: "good", age: 3, ...rex }],
  ["what is undefined keeps its default", { ...rex, age: undefined, note: undefined }],
])("an insert is the one that the builder makes: %s", (_what, row) => {
  const { sql, params } = insertRow(pets, row as typeof pets.$inferInsert);
  expect({ sql, params }).toEqual(statement(build.insert(pets).values(row as typeof rex)));
});

test.each([
  ["one column", { age: 4 }],
  ["null", { note: null }],
  ["several, one of which is undefined", { name: "Max", age: undefined, note: "old" }],
])("an update is the one that the builder makes: %s", (_what, set) => {
  const where = and(eq(pets.account_seq, "a1"), eq(pets.id, "p1"));
  const { sql, params } = updateRow(
    pets,
    { account_seq: "a1", id: "p1" },
    set as Partial<typeof pets.$inferSelect>,
  );
  expect({ sql, params }).toEqual(statement(build.update(pets).set(set).where(where)));
});

test("a column may be set and be part of the key", () => {
  const { sql, params } = updateRow(pets, { id: "p1", age: 3 }, { age: 4 });
  expect([sql, params]).toEqual([
    'update "pets" set "age" = ? where ("pets"."id" = ? and "pets"."age" = ?)',
    [4, "p1", 3],
  ]);
});

const owners = sqliteTable("owners", {
  id: text().notNull(),
  account_seq: text().notNull(),
  name: text().notNull(),
  updated_at: text().notNull(),
  deleted_at: text(),
});

test("an update of rows that are not deleted is the one that the builder makes, and returns them", () => {
  const key = { account_seq: "a1", id: "o1" };
  const where = and(eq(owners.account_seq, "a1"), eq(owners.id, "o1"), isNull(owners.deleted_at));
  for (const set of [{ name: "Ann" }, { name: undefined, deleted_at: "2026", updated_at: "2026" }]) {
    const { sql, params } = updateLivingRows(owners, key, set);
    expect({ sql, params }).toEqual(
      statement(
        build
          .update(owners)
          .set(set as Partial<typeof owners.$inferSelect>)
          .where(where)
          .returning(),
      ),
    );
  }
});

test("an update has to say which rows: without a key there is none", () => {
  expect(() => updateLivingRows(owners, { id: undefined }, { name: "Ann" })).toThrow("key");
  expect(() => updateRow(pets, {}, { age: 4 })).toThrow("key");
  expect(() => updateRow(pets, { id: undefined as never }, { age: 4 })).toThrow("key");
});

test("the values of one call are not those of the next", () => {
  expect(insertRow(pets, rex).params).toEqual(["p1", "a1", "Rex", 1]);
  expect(insertRow(pets, { ...rex, name: "Max" }).params).toEqual(["p1", "a1", "Max", 1]);
});

test("a prepared statement fills named values in wherever they stand, and needs each", () => {
  const named = prepare((p: Params<{ id: string; age: number }>) =>
    build
      .update(pets)
      .set({ age: sql`${p("age")}`, note: "fixed" })
      .where(and(eq(pets.id, p("id")), sql`${pets.age} < ${p("age")}`)),
  );
  expect(named({ id: "p1", age: 4 }).params).toEqual([4, "fixed", "p1", 4]);
  expect(() => named({ id: "p1" } as { id: string; age: number })).toThrow('no value for "age"');
});
