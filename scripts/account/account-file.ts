import { createReadStream, existsSync } from "node:fs";
import type { Row } from "../../src/base/db/port.ts";
import { fileFormat, rowsIn, type SignedPage } from "../../src/edges/operator/account-page.ts";
import { UsageError } from "./options.ts";

/*
 * The file of an account: a line of JSON that says what it is, one for each page of rows, with its signature, and one that says how many there
 * are, by which a file that was cut off is known. The account's own row is the first page; each table follows those that its rows
 * refer to.
 */
export type FirstLine = {
  format: number;
  version: string;
  schema: string;
  account_id: string;
  shop: string;
  /** The newest event of the account when its rows were read. */
  as_of_sequence: number;
};
export type LastLine = { pages: number; rows: number };

export function textOf(line: FirstLine | SignedPage | LastLine): string {
  return `${JSON.stringify(line)}\n`;
}

export type Inspected = FirstLine & { account: Row; own: SignedPage; rows: number };

/** The account of a file, and its number of rows. Throws if it is no file of an account, or was cut off. */
export async function inspect(path: string): Promise<Inspected> {
  let first: Partial<FirstLine> | undefined;
  let own: Partial<SignedPage> | undefined;
  let last: Partial<LastLine> = {};
  let [pages, rows] = [0, 0];
  if (!existsSync(path)) throw new UsageError(`${path} cannot be read (ENOENT)`);
  for await (const line of linesOf(path)) {
    first ??= line as Partial<FirstLine>;
    last = line as Partial<LastLine>;
    if (!("page" in line)) continue;
    const signed = line as SignedPage;
    own ??= signed;
    pages++;
    rows += signed.page.rows.length;
  }
  if (first?.format === undefined || own?.page?.table !== "accounts")
    throw new Error(`${path} is no file that export has written`);
  if (first.format > fileFormat)
    throw new Error(`${path} was written by version ${first.version}: import it with that, or a later one`);
  if (last.pages !== pages || last.rows !== rows)
    throw new Error(`${path} was cut off: its last line does not say how many rows it has`);
  const [account] = rowsIn(own.page);
  return { ...(first as FirstLine), account: account!, own: own as SignedPage, rows };
}

/** The pages of a file, in their order, without the account's own. */
export async function* pagesIn(path: string): AsyncGenerator<SignedPage> {
  for await (const line of linesOf(path))
    if ("page" in line && (line as SignedPage).page.table !== "accounts") yield line as SignedPage;
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
