import { type MigrationStatement, requirementIn, statementsIn, tableMadeBy } from "./statements.ts";

type Migration = { name: string; text: string };

/**
 * Why a migration may not come after a release; none if it may. The previous version works on beside it and after a roll-back, so that it adds
 * and takes nothing away. One that does says since which version no code needs that any more.
 */
export function faultsOfMigration({ name, text }: Migration, earlier: Migration[]): string[] {
  const statements = statementsIn(text);
  const made = statements.flatMap(({ sql }) => tableMadeBy(sql) ?? []);
  const faults = statements.flatMap((statement, nth) => {
    const fault =
      positionFault(statement) ??
      requirementFault(statement, { name, nth, earlier }) ??
      indexFault(statement, made) ??
      additionFault(statement, statements, made);
    return fault === undefined ? [] : [`${name}: ${statement.sql.slice(0, 60)}: ${fault}`];
  });
  return [...faults, ...floorFaults(name, statements)];
}

/** Rows that are inserted by the places of columns are refused as soon as the table gets a further one. */
export function positionFault({ sql }: MigrationStatement): string | undefined {
  return /INSERT (OR \w+ )?INTO \w+ ?(VALUES|SELECT|DEFAULT)\b/i.test(sql)
    ? "an INSERT names its columns"
    : undefined;
}

/** An index over rows that are there takes time in which nobody else is answered. */
function indexFault({ sql, comments }: MigrationStatement, made: string[]): string | undefined {
  const [, isUnique, table = ""] = /^CREATE (UNIQUE )?INDEX \w+ ON (\w+)/i.exec(sql) ?? [];
  if (table === "" || made.includes(table)) return undefined;
  if (isUnique && sinceOf(comments) === undefined) return `rows may be alike: ${asContract}`;
  return comments.some((comment) => comment.startsWith("budget: "))
    ? undefined
    : "say how long it takes, in a line before it: -- budget: 1.2 µs a row, at most N rows";
}

function additionFault(
  { sql, comments }: MigrationStatement,
  all: MigrationStatement[],
  made: string[],
): string | undefined {
  if (sinceOf(comments) !== undefined || isOfUpgrades(sql)) return undefined;
  const [, inserted = ""] = /^INSERT (?:OR \w+ )?INTO (\w+)/i.exec(sql) ?? [];
  if (made.includes(inserted)) return undefined;
  if (/^CREATE (VIRTUAL )?TABLE |^CREATE (UNIQUE )?INDEX |^CREATE TRIGGER |^DROP INDEX /i.test(sql))
    return undefined;
  const [, trigger] = /^DROP TRIGGER (?:IF EXISTS )?(\w+)$/i.exec(sql) ?? [];
  if (trigger !== undefined)
    return all.some((other) => new RegExp(`^CREATE TRIGGER ${trigger}\\b`, "i").test(other.sql))
      ? undefined
      : `it needs a CREATE TRIGGER of the name in this file, or ${asContract}`;
  if (/^ALTER TABLE \w+ ADD (COLUMN )?/i.test(sql))
    return constantDefault.test(sql) || !/ NOT NULL| DEFAULT /i.test(sql)
      ? undefined
      : "a new column is nullable or has a constant for its default";
  return asContract;
}

const asContract = "it takes something away: say since when nothing needs that, -- contract: since 0.N";

const constantDefault = / DEFAULT (?:[+-]?[\d.]+|'(?:[^']|'')*'|NULL|TRUE|FALSE|X'[\dA-F]*')(?: |$)/i;

/** The rows by which migrations say how versions go on. */
function isOfUpgrades(sql: string): boolean {
  return /^INSERT INTO backfills |^UPDATE (backfills|min_version) SET /i.test(sql);
}

type Place = { name: string; nth: number; earlier: Migration[] };

/** A migration asks for its backfills before all else, so that nothing was done where it is refused. */
function requirementFault({ sql }: MigrationStatement, { name, nth, earlier }: Place): string | undefined {
  if (!/^UPDATE backfills /i.test(sql)) return undefined;
  const { by, backfill } = requirementIn(sql) ?? {};
  if (by !== name) return `write it UPDATE backfills SET required_by = '${name}' WHERE name = '…'`;
  if (nth > 0) return "ask for a backfill before all else";
  const isNoted = earlier.some(({ text }) =>
    new RegExp(`INSERT INTO backfills .*'${backfill}'`, "s").test(text),
  );
  return isNoted ? undefined : `no earlier migration notes the backfill ${backfill}`;
}

function sinceOf(comments: string[]): string | undefined {
  return comments
    .map((comment) => /^contract: since (0\.\d+|[1-9]\d*\.\d+)$/.exec(comment)?.[1])
    .find(Boolean);
}

/** The versions before the one that needs it no more are refused from then on. */
function floorFaults(name: string, statements: MigrationStatement[]): string[] {
  const versions = statements.flatMap(({ comments }) => sinceOf(comments) ?? []);
  return [...new Set(versions)].flatMap((version) =>
    statements.some(({ sql }) => sql === `UPDATE min_version SET version = '${version}.0'`)
      ? []
      : [`${name}: it also needs UPDATE min_version SET version = '${version}.0'`],
  );
}
