import type { Context, Hono } from "hono";
import { DomainError, notFound } from "../../../../base/errors.ts";
import { newId } from "../../../../base/lib/ids.ts";
import { parseInstant } from "../../../../base/lib/time/dates.ts";
import { receiveDeclaration } from "../../../../domain/declarations/actions/receive.ts";
import { takeBack } from "../../../../domain/declarations/actions/take-back.ts";
import { declarationOfToken } from "../../../../domain/declarations/not-me.ts";
import { countVisit } from "../../../../domain/declarations/visits.ts";
import { addressOf } from "../../../../kit/http/rate-limit.ts";
import { openAnybodyCtx, openSystemCtx } from "../page-ctx.ts";
import { type PageEnv, plain, visitOf } from "../page-env.ts";
import { type LeavingPage, pagesOfLeaving, parseDeclared, readDeclared } from "./form.ts";
import {
  addressOfShop,
  confirmPage,
  declarePage,
  notMePage,
  receiptText,
  receivedPage,
  takenBackPage,
} from "./pages.ts";

type C = Context<PageEnv>;

/** Serves the pages on which anybody cancels or withdraws, without signing in and also while the portal is off. */
export function serveDeclaring(pages: Hono<PageEnv>): void {
  for (const page of Object.keys(pagesOfLeaving) as LeavingPage[]) {
    pages.get(`/portal/:shop/${page}`, async (c) =>
      c.html(await declarePage(visitOf(c), { page, fields: readDeclared(new URL(c.req.url).searchParams) })),
    );
    pages.post(`/portal/:shop/${page}`, (c) => declare(c, page));
    pages.post(`/portal/:shop/${page}/receipt`, (c) => saveReceipt(c, page));
  }
  pages.get("/portal/:shop/leave/not-me/:token", async (c) => {
    await requireToken(c);
    return c.html(await notMePage(visitOf(c)));
  });
  pages.post("/portal/:shop/leave/not-me/:token", takeBackByLink);
}

/** The first step is bounded by where it comes from; what is confirmed is always taken. */
async function declare(c: C, page: LeavingPage): Promise<Response> {
  const visit = visitOf(c);
  const sent = c.get("sent");
  const fields = readDeclared(sent);
  if (sent.get("correct") === "1") return c.html(await declarePage(visit, { page, fields }));
  const parsed = parseDeclared(visit, page, fields);
  if ("faults" in parsed)
    return c.html(await declarePage(visit, { page, fields, faults: parsed.faults }), 400);
  const { declared } = parsed;
  const ctx = await openAnybodyCtx(c);
  if (sent.get("confirm") === "1") {
    await receiveDeclaration(ctx, declared);
    return c.html(await receivedPage(visit, { page, fields, declared, at: ctx.now }));
  }
  const id = newId();
  if (!(await countVisit(ctx, { address: addressOf(plain(c)), id }))) {
    c.header("Retry-After", "3600");
    const alert = visit.texts.declaring.tooMany(addressOfShop(visit));
    return c.html(await declarePage(visit, { page, fields, alert }), 429);
  }
  return c.html(await confirmPage(visit, { page, fields, declared, id }));
}

/** The receipt of what was just declared, as the page has it. */
async function saveReceipt(c: C, page: LeavingPage): Promise<Response> {
  const visit = visitOf(c);
  const sent = c.get("sent");
  const fields = readDeclared(sent);
  const parsed = parseDeclared(visit, page, fields);
  const at = parseInstant(sent.get("at") ?? "");
  if ("faults" in parsed || !at) throw new DomainError("VALIDATION_FAILED", "This is no receipt");
  return c.body(receiptText(visit, { page, declared: parsed.declared, at }), 200, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Disposition": `attachment; filename="${page}-${at.slice(0, 10)}.txt"`,
  });
}

async function requireToken(c: C): Promise<string> {
  const id = await declarationOfToken(await openSystemCtx(c), c.req.param("token") ?? "");
  if (id === undefined) throw notFound("Page");
  return id;
}

async function takeBackByLink(c: C): Promise<Response> {
  const visit = visitOf(c);
  const id = await requireToken(c);
  try {
    await takeBack(await openSystemCtx(c), id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "INVALID_STATE") throw error;
    return c.html(await takenBackPage(visit, false), 409);
  }
  return c.html(await takenBackPage(visit, true));
}
