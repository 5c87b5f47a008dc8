import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { minorOf } from "../../base/amounts.ts";
import { toMajor } from "../../base/lib/money.ts";
import type { Ctx } from "../../kit/context.ts";
import { requireOwner, scopesOf } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { type HonoEnv, operation } from "../../kit/http/document/operation.ts";
import { answerList, pageAnswer } from "../../kit/http/list/list-answer.ts";
import { openKeptSecret } from "../../kit/kept-secret.ts";
import type { KeyList } from "./key-schemas.ts";
import { endKey, getLivingKey, listLivingKeys, type Maker, makeKey, type ShownKey } from "./keys.ts";

const {
  KeyCreate,
  KeyList: Keys,
  KeyQuery,
  KeyWithSecret,
  keyParams,
} = deferred(() => import("./key-schemas.ts"));

const path = "/api/account/keys";
const common = { tag: "Account", credentials: "apiKey", resource: "account" } as const;

/** Keys, for whoever holds one of the account with its scope, and for an OWNER in the console. */
export const keyOperations = [
  operation({
    ...common,
    id: "listApiKeys",
    method: "get",
    path,
    summary: "List the keys",
    description: "The keys of the account that are not revoked, newest first. None of their texts is shown.",
    query: KeyQuery,
    success: pageAnswer("A page of keys.", Keys),
    handler: ({ c, ctx, query }) => {
      requireOwner(c);
      return answerList(
        { c, query },
        (page) => listLivingKeys(ctx, page),
        (key) => present(ctx, key),
      );
    },
  }),
  operation({
    ...common,
    id: "createApiKey",
    method: "post",
    path,
    summary: "Make a key",
    description:
      "The key may do no more than the one that makes it, and no longer: other scopes, a later end and looser bounds are FORBIDDEN. Its text is shown here only.",
    body: KeyCreate,
    success: { status: 201, description: "The new key, with its text.", schema: KeyWithSecret },
    secretAnswer: true,
    handler: async ({ c, ctx, body }) => {
      requireOwner(c);
      const { requires_preview, max_amount, ...asked } = body;
      const limits = {
        ...(requires_preview === undefined ? {} : { requires_preview }),
        ...(max_amount === undefined ? {} : { max_amount: amountOf(ctx, max_amount) }),
      };
      const { key, text } = await makeKey(ctx, makerOf(c), { ...asked, limits });
      return { data: { ...present(ctx, key), secret: text } };
    },
    answerAgain: async ({ ctx, created }) => {
      const [key, secret = ""] = [
        await getLivingKey(ctx, created.apiKey),
        await openKeptSecret(ctx, created),
      ];
      return { data: { ...present(ctx, key), secret } };
    },
  }),
  operation({
    ...common,
    id: "deleteApiKey",
    method: "delete",
    path: `${path}/{id}`,
    params: keyParams,
    summary: "Revoke a key",
    description:
      "Final, and within 30 seconds everywhere. Its tokens and the portal sessions of its links end with it; the webhook endpoints that it has made go on, and the history names them.",
    success: { status: 204, description: "Revoked." },
    handler: async ({ c, ctx, params }) => {
      requireOwner(c);
      await endKey(ctx, params.id);
    },
  }),
];

/** A member of staff who makes a key is an OWNER, whom nothing limits. */
function makerOf(c: Context<HonoEnv>): Maker {
  const { key, claims } = c.get("proven") ?? {};
  if (!key) return { scopes: null, expiresAt: null };
  const [ofKey, ofToken] = [scopesOf(key), claims?.scopes ?? null];
  const scopes = ofKey && ofToken ? ofKey.filter((scope) => ofToken.includes(scope)) : (ofKey ?? ofToken);
  return { scopes, expiresAt: key.expires_at };
}

function amountOf({ account }: Ctx, amount: number | null): number | null {
  return amount === null ? null : minorOf(amount, account.currency_code, "max_amount");
}

function present({ account }: Ctx, key: ShownKey): z.input<typeof KeyList>["data"][number] {
  const { id, name, scopes, expires_at, requires_preview, max_amount, created_at, last_used_at } = key;
  return {
    ...{ id, name, expires_at, created_at, last_used_at },
    scopes: scopes === null ? null : (scopes.split(" ") as never),
    requires_preview: requires_preview === 1,
    max_amount: max_amount === null ? null : toMajor(max_amount, account.currency_code),
  };
}
