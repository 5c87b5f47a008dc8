import { createReadStream, existsSync } from "node:fs";
import type { Row } from "../../src/base/db/port.ts";
import { UsageError } from "./options.ts";

/*
 * The file of an account: a line of JSON that says what it is, one for each row, and one that says how many rows there are, by which a
 * file that was cut off is known. The account's own row is the first; each table follows those that its rows refer to.
 */
export type FirstLine = { schema: string; account_id: string; shop: string };
export type RowLine = { table: string; row: Row };
export type LastLine = { rows: number };

export function textOf(line: FirstLine | RowLine | LastLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** The schema and the account that a file names, and its number of rows. Throws if it is no file of an account, or was cut off. */
export async function inspect(path: string): Promise<{ schema: string; account: Row; rows: number }> {
  let first: Partial<FirstLine> | undefined;
  let account: RowLine | undefined;
  let last: Partial<LastLine> = {};
  let rows = -1;
  if (!existsSync(path)) throw new UsageError(`${path} cannot be read (ENOENT)`);
  for await (const line of linesOf(path)) {
    if (!first) first = line as Partial<FirstLine>;
    else {
      account ??= line as RowLine;
      last = line as Partial<LastLine>;
      rows++;
    }
  }
  if (typeof first?.schema !== "string" || account?.table !== "accounts")
    throw new Error(`${path} is no file that export has written`);
  if (last.rows !== rows)
    throw new Error(`${path} was cut off: its last line does not say how many rows it has`);
  return { schema: first.schema, account: account.row, rows };
}

/** The rows of a file, in their order, without the account's own. */
export async function* rowsIn(path: string): AsyncGenerator<RowLine> {
  let nth = 0;
  for await (const line of linesOf(path)) if (nth++ >= 2 && "table" in line) yield line as RowLine;
}

/** A line ends at a line feed alone: readline ends one at U+2028 too, which customers' texts may have. */
async function* linesOf(path: string): AsyncGenerator<object> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) yield objectIn(text, path);
  }
  if (rest !== "") yield objectIn(rest, path);
}

function objectIn(text: string, path: string): object {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line === "object" && line !== null) return line;
  } catch {
    // Text that is no JSON is reported below, like JSON of another kind.
  }
  throw new Error(`${path} is no file that export has written`);
}
