import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { currenciesByExponent } from "../lib/money.ts";

/**
 * A joined record as the text of its JSON, as the API shows it, so that an answer is given that text as it stands. Null where the join found
 * none. D1 takes 32 arguments in a function, the template included.
 */
export function recordText<Shown extends object>(
  id: AnyColumn,
  members: { [Name in keyof Shown]-?: AnyColumn | WrittenMember },
): SQL<string | null> {
  const parts = Object.entries<AnyColumn | WrittenMember>(members).map(([name, its]) => memberOf(name, its));
  const template = parts.map(({ written }) => written).join("");
  const values = sql.join(
    parts.map(({ value }) => value),
    sql`, `,
  );
  return sql<
    string | null
  >`iif(${id} IS NULL, NULL, printf(${sql.raw(`'{${template.slice(1)}}'`)}, ${values}))`;
}

/** A member that is written in its own way: the directive of SQLite's printf, and the value that it takes. */
type WrittenMember = { directive: "%s" | "%.15g"; value: SQL; isOptional?: true };

export function flagText(column: AnyColumn): WrittenMember {
  return { directive: "%s", value: sql`iif(${column}, 'true', 'false')` };
}

/** A text that SQL works out. */
export function workedOutText(value: SQL): WrittenMember {
  return { directive: "%s", value: sql`json_quote(${value})` };
}

/** A text that is left out where it is null. It is not the first member. */
export function optionalText(column: AnyColumn): WrittenMember {
  return { directive: "%s", value: sql`${column}`, isOptional: true };
}

/** Minor units as a number of major units, as `toMajor` has them. */
export function majorText(minor: AnyColumn, currency: AnyColumn): WrittenMember {
  return { directive: "%.15g", value: sql`${minor} / ${divisor(currency)}` };
}

function divisor(currency: AnyColumn): SQL {
  const cases = currenciesByExponent.map(([exponent, codes]) => {
    const list = codes.split(" ").map((code) => `'${code}'`);
    return sql`WHEN ${currency} IN (${sql.raw(list.join(", "))}) THEN ${sql.raw(`${10 ** exponent}.0`)}`;
  });
  return sql`CASE ${sql.join(cases, sql` `)} ELSE 100.0 END`;
}

function memberOf(name: string, its: AnyColumn | WrittenMember): { written: string; value: SQL } {
  if (!("directive" in its)) return { written: `,"${name}":%s`, value: sql`json_quote(${its})` };
  const { directive, value, isOptional } = its;
  if (!isOptional) return { written: `,"${name}":${directive}`, value };
  const member = sql`${sql.raw(`',"${name}":'`)} || json_quote(${value})`;
  return { written: directive, value: sql`iif(${value} IS NULL, '', ${member})` };
}
