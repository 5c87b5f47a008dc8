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

/** Answers a change as it answers, and its dry run with the number of subscriptions that it concerns as well. */
export async function answerAffecting<Answer extends object>(
  ctx: Ctx,
  changed: Promise<Answer>,
  affected: () => Promise<number>,
): Promise<Answer & { affected?: number }> {
  const answer = await changed;
  return isRehearsed(ctx) ? { ...answer, affected: await affected() } : answer;
}

type Removal = {
  c: Context<HonoEnv>;
  ctx: Ctx;
  /** The number of subscriptions that it concerns, where it concerns any. */
  affected?: () => Promise<number>;
};

/** Answers a deletion with nothing, and its dry run with the record that would go. */
export async function answerRemoved<Row, Item, Known extends unknown[]>(
  { c, ctx, affected }: Removal,
  removed: Promise<Row>,
  present: (row: Row, ...known: Known) => Item,
  ...known: Known
): Promise<Response | undefined> {
  const row = await removed;
  if (!isRehearsed(ctx)) return undefined;
  const data = present(row, ...known);
  return newJsonResponse(c, writeJson({ data, ...(affected ? { affected: await affected() } : {}) }), 200);
}
