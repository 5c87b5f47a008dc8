import type { Context } from "hono";
import { type Ctx, isRehearsed } from "../context.ts";
import type { HonoEnv } from "./document/operation.ts";
import { newJsonResponse } from "./headers.ts";
import { writeJson } from "./json-text.ts";
/** Answers with the record that a read finds or an action returns, as it is shown. */
export async function answerRecord<Row, Item, Known extends unknown[]>(
  found: Promise<Row>,
  present: (row: Row, ...known: Known) => Item,
  ...known: Known
): Promise<{ data: Item }> {
  return { data: present(await found, ...known) };
}

/** Answers a deletion with nothing, and its dry run with the record that would go. */
export async function answerRemoved<Row, Item, Known extends unknown[]>(
  { c, ctx }: { c: Context<HonoEnv>; ctx: Ctx },
  removed: Promise<Row>,
  present: (row: Row, ...known: Known) => Item,
  ...known: Known
): Promise<Response | undefined> {
  const row = await removed;
  return isRehearsed(ctx) ? newJsonResponse(c, writeJson({ data: present(row, ...known) }), 200) : undefined;
}
