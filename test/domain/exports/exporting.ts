import { createHash } from "node:crypto";
import { parse } from "csv-parse/sync";
import { expect } from "vitest";
import { type Answer, api, type Caller, nobody, type RequestOptions } from "../../support/client.ts";
import type { Json } from "../../support/shops.ts";

export const path = "/api/exports";

/** An export that must be made. */
export async function exported(as: Caller, body: object, options: RequestOptions = {}): Promise<Json> {
  const answer = await api(as, "POST", path, { ...options, body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.data;
}

/** The answer to a request for a part's address, without credentials. */
export function fetchPart(url: string, method = "GET"): Promise<Answer<Json>> {
  return api<Json>(nobody, method, new URL(url).pathname);
}

/** The text of the only part of an export. */
export async function textOf(as: Caller, body: object): Promise<string> {
  const { parts } = await exported(as, body);
  expect(parts).toHaveLength(1);
  const part = await fetchPart(parts[0].url);
  expect(part.status).toBe(200);
  return part.text;
}

/** The objects of JSON lines; throws where the part was cut off, or is not what was hashed. */
export function readLines(text: string): Json[] {
  const lines = text.split("\n").slice(0, -1);
  const end = JSON.parse(lines.pop() ?? "null");
  if (end?.end !== true) throw new Error("cut off");
  const content = lines.map((line) => `${line}\n`).join("");
  expect(end).toEqual({ end: true, rows: lines.length, sha256: sha256(content) });
  return lines.map((line) => JSON.parse(line));
}

/** The rows of CSV by column, with the apostrophes taken off; throws where the part was cut off, or is not what was hashed. */
export function readCsv(text: string): Record<string, string>[] {
  const [content, trailer] = [
    text.slice(0, text.lastIndexOf("# end,")),
    text.slice(text.lastIndexOf("# end,")),
  ];
  if (!trailer.startsWith("# end,")) throw new Error("cut off");
  expect(content.slice(0, 1), "a byte order mark").toBe("\ufeff");
  const rows = parse(content, { columns: true, bom: true }) as Record<string, string>[];
  expect(trailer).toBe(`# end,${rows.length},${sha256(content)}\r\n`);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [name, cell.replace(/^'(?=[=+\-@\t\r'])/, "")]),
    ),
  );
}

/** All that an export has of a resource, as JSON lines say it. */
export async function recordsOf(as: Caller, resource: string, more: object = {}): Promise<Json[]> {
  return readLines(await textOf(as, { resource, format: "jsonl", ...more }));
}

export async function rowsOf(as: Caller, resource: string, more: object = {}) {
  return readCsv(await textOf(as, { resource, format: "csv", ...more }));
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
