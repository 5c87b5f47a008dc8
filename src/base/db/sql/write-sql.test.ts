/** Statements of the builder are written as drizzle itself writes them. */
import { and, eq, inArray, isNull, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias, integer, SQLiteSyncDialect, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import { build } from "../statement.ts";
import { writeSql } from "./write-sql.ts";

/** The builder remembers the columns of a table by its name: these have names that no table of ours has. */
const orders = sqliteTable("parcels", {
  seq: integer().notNull(),
  id: text().notNull(),
  profile_id: text("profile"),
  'a"b': text(),
});
const profiles = sqliteTable("senders", { id: text().notNull(), name: text() });
const others = alias(orders, "others");
const p = (name: string) => sql.placeholder(name);

const newest = build.select({ id: others.id }).from(others).orderBy(sql`${others.seq} DESC`).limit(1);
const named = build.$with("named").as(build.select().from(profiles).where(isNull(profiles.name)));
const counted = build
  .select({ id: profiles.id, many: sql<number>`COUNT(*)`.as("many") })
  .from(profiles)
  .as("counted");

const statements: Record<string, SQLWrapper> = {
  "a select with a join of an alias": build
    .select({ order: orders, other: others.id })
    .from(orders)
    .innerJoin(others, and(eq(orders.seq, others.seq), eq(orders.id, p("id"))))
    .where(inArray(orders.id, ["a", "b"]))
    .limit(5)
    .offset(10),
  "a select of what is named": build.with(named).select().from(named),
  "a select from a select": build.select({ id: counted.id, many: counted.many }).from(counted),
  "a union": build
    .select({ id: orders.id })
    .from(orders)
    .unionAll(build.select({ id: profiles.id }).from(profiles)),
  "an insert": build
    .insert(orders)
    .values({ seq: 1, id: sql`lower(${p("id")})`, profile_id: null })
    .onConflictDoNothing()
    .returning({ id: orders.id }),
  "an update": build
    .update(orders)
    .set({ profile_id: sql`${orders.profile_id} || ${"x"}` })
    .where(eq(orders.seq, 3)),
  "a deletion": build.delete(orders).where(eq(orders.id, p("id"))),
  "SQL by hand": sql`SELECT ${orders}, ${orders['a"b']}, ${sql.identifier('an "id"')}, ${[1, "two"]}, ${sql.raw("'raw'")},
    ${newest}, ${null}, ${undefined}, ${true}, ${sql.join([sql`1`, sql`${p("one")}`], sql`, `)}, ${sql.param("é")} FROM ${others}`,
};

const dialect = new SQLiteSyncDialect();

test.each(Object.entries(statements))("%s", (_, statement) => {
  const query: SQL = statement.getSQL();
  const { sql: text, params } = dialect.sqlToQuery(query);
  expect(writeSql(query)).toEqual({ sql: text, params });
});
