/** A statement of a migration, its white space reduced to single blanks, with the comments before it. */
export type MigrationStatement = { sql: string; comments: string[] };

/** The statements of a migration's text. */
export function statementsIn(text: string): MigrationStatement[] {
  const statements: MigrationStatement[] = [];
  let open: MigrationStatement = { sql: "", comments: [] };
  let depth = 0;
  for (const [found] of text.matchAll(token)) {
    if (found.startsWith("--")) {
      if (open.sql.trim() === "") open.comments.push(found.slice(2).trim());
    } else if (found === ";" && depth === 0) {
      statements.push({ ...open, sql: open.sql.trim() });
      open = { sql: "", comments: [] };
    } else {
      // The statements of a trigger stand between BEGIN and END, and CASE ends by END too.
      if (/^(BEGIN|CASE)$/i.test(found)) depth++;
      if (/^END$/i.test(found)) depth--;
      open.sql += /^\s/.test(found) ? " " : found;
    }
  }
  return statements;
}

const token = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|;|\s+|[^\w\s;]/g;

/** The tables that a migration touches which it does not make itself. */
export function touchedTables(text: string): string[] {
  const statements = statementsIn(text);
  const made = statements.map(({ sql }) => tableMadeBy(sql));
  const touched = statements.flatMap(({ sql }) => touching.exec(sql)?.slice(1).find(Boolean) ?? []);
  return [...new Set(touched)].filter((name) => !made.includes(name));
}

/** The backfill that a statement asks for, and the migration that it says it stands in. */
export function requirementIn(sql: string): { by: string; backfill: string } | undefined {
  const [, by, backfill] =
    /^UPDATE backfills SET required_by = '([^']+)' WHERE name = '([^']+)'$/.exec(sql) ?? [];
  return by !== undefined && backfill !== undefined ? { by, backfill } : undefined;
}

export function tableMadeBy(sql: string): string | undefined {
  return /^CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?(\w+)/i.exec(sql)?.[1];
}

const touching =
  /^(?:(?:ALTER|DROP) TABLE (?:IF EXISTS )?(\w+)|CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)|CREATE TRIGGER \w+ .*? ON (\w+)|UPDATE (\w+)|DELETE FROM (\w+)|INSERT (?:OR \w+ )?INTO (\w+))/i;
