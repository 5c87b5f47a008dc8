import { z } from "@hono/zod-openapi";
import { demoId } from "../../base/demo.ts";
import { type FieldText, named } from "../../kit/http/document/describe.ts";
import { commonTexts, idOut } from "../../kit/http/document/fields.ts";
import { moneyIn } from "../../kit/http/document/money.ts";
import { idInPath, instant, instantIn, nameIn, orNull } from "../../kit/http/document/params.ts";
import { dataOf, listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { scope } from "../auth/schemas.ts";

const fields = {
  id: idOut,
  name: z.string(),
  scopes: orNull(z.array(scope)),
  expires_at: orNull(instant),
  requires_preview: z.boolean(),
  max_amount: z.number().nullable(),
  created_at: instant,
  last_used_at: orNull(instant),
};

const texts = {
  ...commonTexts,
  id: ["The key's id, which its text holds too.", demoId("api_key", 1)],
  name: [
    "Who acts with the key, shown as `actor_name` in the history: 1 to 255 characters, not blank.",
    "Warehouse",
  ],
  scopes: ["What the key may do; null for everything.", ["orders:read", "orders:write"]],
  expires_at: ["Until when it is valid: UTC. Null for ever.", null],
  requires_preview: [
    "Whether the key does only what it has previewed: what has a preview is done by If-Preview alone.",
    false,
  ],
  max_amount: [
    "The most that one request charges or refunds by itself, in major units of the account's currency; null for any.",
    null,
  ],
  last_used_at: ["When it was last used, to the hour; null if never.", "2026-11-20T12:00:00.000Z"],
} as const satisfies Record<string, FieldText>;

const KeyBody = named("ApiKey", z.strictObject(fields), texts, { description: "A key of the account's." });
export const KeyList = listOf(KeyBody, "ApiKeyList");
export const KeyQuery = z.strictObject(pageQuery);
export const keyParams = z.strictObject({ id: idInPath("id", "key", demoId("api_key", 1)) });

export const KeyCreate = named(
  "ApiKeyCreate",
  z.strictObject({
    name: nameIn,
    scopes: z.array(scope).min(1).optional(),
    expires_at: instantIn.nullable().optional(),
    requires_preview: z.boolean().optional(),
    max_amount: moneyIn.nullable().optional(),
  }),
  {
    ...texts,
    scopes: [
      "What the key may do, at least one: some of what the caller may. By default all of that.",
      ["orders:read", "orders:write"],
    ],
    expires_at: [
      "Until when it is valid: a date-time, no later than the key that makes it. By default as long as that.",
      "2036-11-20T12:00:00.000Z",
    ],
    requires_preview: [`${texts.requires_preview[0]} By default as the caller.`, false],
    max_amount: [`${texts.max_amount[0]} By default as the caller.`, 50],
  },
  { example: { name: "Warehouse", scopes: ["orders:read", "orders:write"] } },
);

export const KeyWithSecret = dataOf(
  named(
    "ApiKeyWithSecretBody",
    z.strictObject({ ...fields, secret: z.string() }),
    {
      ...texts,
      secret: [
        "The key's text, for the header X-API-Key. It is shown here only: keep it.",
        "prnl_019a0000-0000-7000-8002-000000000001_EXAMPLE",
      ],
    },
    { description: "A key, with its text." },
  ),
  "ApiKeyWithSecret",
  "The key, with its text.",
);
