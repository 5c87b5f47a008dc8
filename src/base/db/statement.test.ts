/** SQLite does not plan a statement anew for each value of its limit. */
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { build, type Params, prepare, raw, statement } from "./statement.ts";

const records = sqliteTable("records", { id: text("id") });

test("the bound of a statement is no bare parameter, by whose value SQLite would plan it anew each time", () => {
  const some = () => build.select().from(records);
  const bounded = { params: [5], sql: expect.stringMatching(/ limit \? \+ 0$/) };
  expect(statement(some().limit(5))).toEqual(bounded);
  const first = prepare((p: Params<{ size: number }>) => some().limit(p("size")));
  expect(first({ size: 5 })).toEqual(bounded);
  expect(raw("SELECT * FROM records LIMIT ?", 5)).toEqual({
    params: [5],
    sql: "SELECT * FROM records LIMIT ? + 0",
  });
});
