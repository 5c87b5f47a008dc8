import { z } from "@hono/zod-openapi";
import { allScopes } from "../../base/accounts/scopes.ts";
import { demoId } from "../../base/demo.ts";
import { named } from "../../kit/http/document/describe.ts";
import { moneyIn } from "../../kit/http/document/money.ts";
import { idIn, text } from "../../kit/http/document/params.ts";

const common = {
  name: text({ min: 1, max: 255 }).optional(),
  expires_in: z.int().min(60).max(86_400).optional(),
  requires_preview: z.boolean().optional(),
  max_amount: moneyIn.optional(),
};
const commonTexts = {
  name: [
    "Who acts, shown as `actor_name` in the history: 1 to 255 characters. Absent: nobody is named.",
    "Ada",
  ],
  expires_in: ["For how many seconds the token is valid: 60 to 86,400, 3,600 by default.", 3600],
  requires_preview: [
    "Whether the token does only what it has previewed: what has a preview is done by If-Preview alone. By default as the key.",
    true,
  ],
  max_amount: [
    "The most that one request charges or refunds by itself, in major units of the account's currency; later charges of a subscription are not bounded. By default as the key.",
    50,
  ],
} as const;

export const scope = z.enum(allScopes).openapi("Scope", {
  description:
    "A resource that a credential may read or change, such as `orders:read`. Each operation names the one that it needs.",
});

const StaffToken = named(
  "StaffTokenRequest",
  z.strictObject({
    actor_type: z.enum(["admin", "api"]),
    ...common,
    scopes: z.array(scope).min(1).optional(),
  }),
  {
    ...commonTexts,
    actor_type: "Who acts. admin: a member of staff. api: a program.",
    scopes: [
      "What the token may do: some of the key's scopes, at least one. By default it has all of them. One that the key lacks is refused.",
      ["subscriptions:read"],
    ],
  },
  { description: "A token for a member of staff or a program." },
);

const CustomerToken = named(
  "CustomerTokenRequest",
  z.strictObject({ actor_type: z.literal("customer"), profile_id: idIn, ...common }),
  {
    ...commonTexts,
    actor_type: "customer: the token reaches the operations that are meant for customers.",
    profile_id: ["The id of the customer's profile, the only one that it reaches.", demoId("profile", 1)],
  },
  { description: "A token for a customer." },
);

export const TokenRequest = z
  .discriminatedUnion("actor_type", [StaffToken, CustomerToken])
  .openapi("TokenRequest", { example: { actor_type: "admin", name: "Ada" } });

export const Token = named(
  "Token",
  z.strictObject({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int() }),
  {
    access_token: [
      "The token, for the header `Authorization: Bearer`: a JWT.",
      "eyJhbGciOiJFZERTQSJ9.eyJhY3Rvcl90eXBlIjoiYWRtaW4ifQ.c2lnbmF0dXJl",
    ],
    token_type: "Always Bearer.",
    expires_in: ["For how many seconds it is valid.", 3600],
  },
);

const JsonWebKey = named(
  "JsonWebKey",
  z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() }),
  {
    kty: ["The type of the key (RFC 7517): OKP or EC.", "OKP"],
    kid: ["The key's id, which tokens name in their header.", "2026-11"],
    alg: ["The algorithm of its signatures: EdDSA or ES256.", "EdDSA"],
  },
  { description: "A public key, with the further members of its type." },
);

export const JsonWebKeySet = named("JsonWebKeySet", z.strictObject({ keys: z.array(JsonWebKey) }), {
  keys: "The keys; the one that signs comes first.",
});
