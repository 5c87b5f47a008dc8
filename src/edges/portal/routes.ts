import { z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { findAccountByShop } from "../../base/accounts/queries.ts";
import { normalizeShop } from "../../base/accounts/shop.ts";
import { demoShop } from "../../base/demo.ts";
import { notFound } from "../../base/errors.ts";
import { sha256Hex } from "../../base/lib/encoding.ts";
import { presentReason } from "../../domain/reasons/present.ts";
import { findPublicAnswer, keepPublicAnswer } from "../../domain/reasons/public-cache.ts";
import { listActiveReasons } from "../../domain/reasons/queries.ts";
import { conditional, conditionalHeaders, etagOf, notModified } from "../../kit/http/conditional.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../kit/http/forward.ts";
import { publicPath } from "./public-cors.ts";

const { ReasonList } = deferred(() => import("../../domain/reasons/schemas.ts"));

/** These answers are public: any origin may read them, and any cache may keep them. */
const publicAnswer: MiddlewareHandler<HonoEnv> = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  if (status === 200 || status === 304)
    headers.set("Cache-Control", "public, max-age=60, stale-while-revalidate=300");
};

function json(c: Context<HonoEnv>, body: string | ReadableStream | null, etag: string): Response {
  return c.newResponse(body, 200, { "Content-Type": "application/json", ETag: etag });
}

export const portalOperations = [
  operation({
    id: "listPublicSkipReasons",
    method: "get",
    path: publicPath,
    tag: "Portal",
    summary: "List a shop's active skip reasons",
    description: "For customer portals, without credentials. Query parameters other than `shop` are ignored.",
    credentials: "none",
    query: z.object({
      shop: z.string().min(1).openapi({
        description: "The store domain, with or without https://.",
        pattern: "^(https?://)?[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63})+/*$",
        example: demoShop,
      }),
    }),
    openQuery: true,
    middleware: [publicAnswer, conditional],
    success: {
      status: 200,
      description: "The active skip reasons, by position.",
      schema: ReasonList,
      headers: conditionalHeaders,
    },
    alsoAnswers: notModified,
    errors: ["NOT_FOUND"],
    handler: async ({ c, query }) => {
      const shop = normalizeShop(query.shop);
      const kept = await findPublicAnswer(shop);
      if (kept) return json(c, kept.body, kept.headers.get("ETag") ?? "");
      const account = await findAccountByShop(c.get("db"), shop, c.get("now").getTime());
      if (!account) throw notFound("Shop");
      const forwarded = await forwardUnproven(c, account);
      if (forwarded) return forwarded;
      const list = await listActiveReasons({ db: c.get("db"), account }, "skip");
      const body = JSON.stringify(list.map((reason) => presentReason(reason, account)));
      const tag = etagOf(await sha256Hex(body));
      c.executionCtx.waitUntil(keepPublicAnswer(shop, body, tag));
      return json(c, body, tag);
    },
  }),
];
