import type { Context, Hono } from "hono";
import { openObject } from "../../base/accounts/objects.ts";
import { findKeyHolder, isElsewhere, type KeyHolder, readAccount } from "../../base/accounts/queries.ts";
import { repeatTransient } from "../../base/db/wrapped/repeating.ts";
import { DomainError } from "../../base/errors.ts";
import { type Actor, type Ctx, openCtx } from "../../kit/context.ts";
import type { HonoEnv } from "../../kit/http/document/operation.ts";
import { errorResponse } from "../../kit/http/errors.ts";
import { countByAddress } from "../../kit/http/rate-limit.ts";
import { isSessionOpen } from "../staff-sessions/sessions.ts";
import { partsPath, readAddress } from "./address.ts";
import type { ExportPart } from "./resources.ts";
import { streamPart } from "./stream.ts";

/**
 * Serves the parts of exports. Their addresses are the credential, and are opaque, so that they are in no document. An address that is
 * forged, changed, over or of a revoked key is answered as one that was never made.
 */
export function serveExportParts(app: Hono<HonoEnv>): Hono<HonoEnv> {
  app.get(`${partsPath}:address`, servePart);
  app.all(`${partsPath}:address`, (c) => {
    c.header("Allow", "GET, HEAD");
    throw new DomainError("METHOD_NOT_ALLOWED", `${c.req.method} is not allowed here; use GET, HEAD`);
  });
  app.all("*", () => {
    throw newNoPartError();
  });
  app.onError((error, c) => errorResponse(c, error));
  return app;
}

async function servePart(c: Context<HonoEnv>): Promise<Response> {
  c.set("operation", { path: `${partsPath}{address}` });
  await countByAddress(c);
  const part = await readAddress(c.get("env"), c.req.param("address") ?? "");
  const isOver = !part || part.expires_at <= c.get("now").toISOString();
  const maker = isOver ? undefined : await findMaker(c, part);
  if (!part || maker?.account.id !== part.account_id) throw newNoPartError();
  c.set("proof", { key_id: part.key_id ?? undefined, account_id: part.account_id });
  const ctx = await openAccountOf(c, maker);
  if (part.session_id !== undefined && !(await isSessionOpen(ctx, part.session_id))) throw newNoPartError();
  return c.body(streamPart(ctx, part), 200, {
    "Content-Type": contentTypes[part.format],
    "Content-Disposition": `attachment; filename="${fileName(part)}"`,
    "Referrer-Policy": "no-referrer",
  });
}

const contentTypes = { jsonl: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" };

function fileName({ resource, format, export_id, n }: ExportPart): string {
  return `${resource}-${export_id}-${n}.${format}`;
}

type Maker = Pick<KeyHolder, "account"> & { actor: Actor };

/** The account of an export, and who asked for it; undefined once their key is revoked. */
async function findMaker(
  c: Context<HonoEnv>,
  { key_id, account_id }: ExportPart,
): Promise<Maker | undefined> {
  if (key_id === null) {
    const account = await readAccount(c.get("db"), account_id);
    return account && { account, actor: { type: "admin", name: null } };
  }
  const holder = await findKeyHolder(c.get("db"), key_id, c.get("now"));
  return holder && { account: holder.account, actor: { type: "api", name: holder.key.name } };
}

/** The account's records, wherever they are: an object is asked for a page at a time, so that nothing has to pass through it whole. */
async function openAccountOf(c: Context<HonoEnv>, { account, actor }: Maker): Promise<Ctx> {
  const [env, log, realNow] = [c.get("env"), c.get("log"), c.get("now")];
  if (!isElsewhere(c.get("db"), account))
    return openCtx({ env, db: c.get("db"), account, actor, log, realNow });
  c.set("forwardedTo", account.id);
  const db = repeatTransient(openObject(env, account));
  const own = await readAccount(db, account.id);
  if (!own) throw newNoPartError();
  return openCtx({ env, db, account: own, actor, log, realNow });
}

function newNoPartError(): DomainError {
  return new DomainError(
    "NOT_FOUND",
    "There is nothing at this address, or no longer: POST /api/exports makes new ones",
  );
}
