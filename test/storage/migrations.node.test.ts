/** A migration after a release adds, or says since when no code needs what it takes away; released ones do not change. */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { faultsOfMigration, positionFault } from "../../scripts/migrations/lint.ts";
import { statementsIn, touchedTables } from "../../scripts/migrations/statements.ts";
import { migrationNames, migrationText, migrationTexts } from "../../scripts/migrations.ts";
import { root } from "../../scripts/paths.ts";
import { changesSince, releasesIn } from "../../scripts/release/released.ts";

const releases = releasesIn(root);

test("the migrations of every release are as they were", () => {
  expect(releases.flatMap((release) => changesSince(release, root))).toEqual([]);
});

test("the migrations after the last release take nothing away that a version before needs", () => {
  const released = Object.keys(
    releases.at(-1)?.migrations ?? Object.fromEntries([[migrationNames()[0], ""]]),
  );
  const all = migrationNames().map((name) => ({ name, text: migrationText(name) }));
  const newer = all.filter(({ name }) => !released.includes(name));
  expect(newer.flatMap((one) => faultsOfMigration(one, all.slice(0, all.indexOf(one))))).toEqual([]);
});

describe("the statements of a migration", () => {
  test("of the schema are each found whole", () => {
    const statements = statementsIn(migrationText("0001_schema.sql"));
    const text = migrationText("0001_schema.sql");
    const made = text.match(/^CREATE |^INSERT INTO \w+ \(/gm) ?? [];
    expect(statements.length).toBe(made.length);
    expect(statements.filter(({ sql }) => !/^(CREATE|INSERT) /.test(sql))).toEqual([]);
  });

  test("of the schema insert by names of columns, its triggers too, so that a table may get a further one", () => {
    const statements = migrationTexts().flatMap(statementsIn);
    expect(statements.filter((statement) => positionFault(statement) !== undefined)).toEqual([]);
  });

  test("touch the tables that they are about, and not those that they make", () => {
    const text = `CREATE TABLE made (id TEXT); ALTER TABLE a ADD COLUMN x; CREATE INDEX b_by_x ON b (x); DROP TABLE c;
      CREATE TRIGGER t AFTER INSERT ON d BEGIN UPDATE e SET x = CASE WHEN x THEN 1 END; END; CREATE INDEX made_by ON made (id);`;
    expect(touchedTables(text)).toEqual(["a", "b", "c", "d"]);
  });
});

const noted = { name: "0002_more.sql", text: "INSERT INTO backfills (name) VALUES ('shares');" };
const faultsOf = (text: string) => faultsOfMigration({ name: "0003_next.sql", text }, [noted]);

test("no statement of the code inserts by places of columns, which a later version's column would move", () => {
  const sources = globSync("{src,scripts}/**/*.ts").filter(
    (path) => !/\.test\.ts$|engine\/migrat/.test(path),
  );
  const positional = /INSERT (OR \w+ )?INTO (\w+|\$\{\w+\})\s+(VALUES|SELECT)\b/;
  const texts = sources.map((path) => ({ path, text: readFileSync(path, "utf8") }));
  // The notes of applied migrations are tables of who applies them.
  const found = texts.filter(({ text }) => positional.test(text.replaceAll("applied_migrations", "")));
  expect(found.map(({ path }) => path)).toEqual([]);
});

describe("may come after a release", () => {
  test.each([
    "ALTER TABLE orders ADD COLUMN later TEXT;",
    "ALTER TABLE orders ADD COLUMN later INTEGER NOT NULL DEFAULT 0 CHECK (later IN (0, 1));",
    "ALTER TABLE orders ADD COLUMN later TEXT NOT NULL DEFAULT 'a b';",
    "CREATE TABLE further (id TEXT PRIMARY KEY) STRICT; CREATE UNIQUE INDEX further_by ON further (id); INSERT INTO further (id) VALUES ('a');",
    "-- budget: 1.2 µs a row\nCREATE INDEX orders_by_later ON orders (later);",
    "DROP INDEX orders_by_total;",
    "DROP TRIGGER t; CREATE TRIGGER t AFTER INSERT ON orders BEGIN SELECT 1; END;",
    "ALTER TABLE orders ADD COLUMN share INTEGER; INSERT INTO backfills (name) VALUES ('share');",
    `UPDATE backfills SET required_by = '0003_next.sql' WHERE name = 'shares';
     UPDATE min_version SET version = '0.3.0';
     -- Nothing reads it.
     -- contract: since 0.3
     ALTER TABLE orders DROP COLUMN share;`,
  ])("%s", (text) => {
    expect(faultsOf(text)).toEqual([]);
  });
});

describe("may not come after a release", () => {
  test.each([
    ["ALTER TABLE orders ADD COLUMN later TEXT NOT NULL;", "nullable or has a constant"],
    ["ALTER TABLE orders ADD COLUMN later TEXT DEFAULT (datetime());", "nullable or has a constant"],
    ["ALTER TABLE orders DROP COLUMN total;", "contract: since 0.N"],
    ["ALTER TABLE orders RENAME TO purchases;", "contract: since 0.N"],
    ["DROP TABLE orders;", "contract: since 0.N"],
    ["UPDATE orders SET total = 0;", "contract: since 0.N"],
    ["DELETE FROM orders;", "contract: since 0.N"],
    ["INSERT INTO orders (id) VALUES ('a');", "contract: since 0.N"],
    ["CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (1); END;", "names its columns"],
    ["DROP TRIGGER t;", "CREATE TRIGGER of the name"],
    ["CREATE UNIQUE INDEX orders_by_later ON orders (later);", "rows may be alike"],
    ["CREATE INDEX orders_by_later ON orders (later);", "-- budget: "],
    ["-- contract: since 0.3\nDROP TABLE orders;", "UPDATE min_version SET version = '0.3.0'"],
    ["UPDATE backfills SET done_at = '2026' WHERE name = 'shares';", "required_by = '0003_next.sql'"],
    [
      "UPDATE backfills SET required_by = '0003_next.sql' WHERE name = 'others';",
      "no earlier migration notes the backfill others",
    ],
    [
      "CREATE TABLE x (y); UPDATE backfills SET required_by = '0003_next.sql' WHERE name = 'shares';",
      "before all else",
    ],
  ])("%s", (text, fault) => {
    expect(faultsOf(text).join("\n")).toContain(fault);
  });
});
