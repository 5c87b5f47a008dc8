import { z } from "@hono/zod-openapi";
import { allScopes, type Scope } from "../../base/accounts/scopes.ts";
import { canSign, publicKeys } from "../../base/accounts/signing-keys.ts";
import type { ApiKey } from "../../base/accounts/tables.ts";
import { signToken } from "../../base/accounts/tokens.ts";
import { demoId } from "../../base/demo.ts";
import { DomainError } from "../../base/errors.ts";
import { requireProfile } from "../../domain/profiles/queries.ts";
import { scopesOf } from "../../kit/http/credentials.ts";
import { named } from "../../kit/http/describe.ts";
import { operation } from "../../kit/http/operation.ts";
import { idIn, text } from "../../kit/http/params.ts";
import { securityTxt } from "./security-txt.ts";

const defaultSeconds = 3600;

const common = {
  name: text({ min: 1, max: 255 }).optional(),
  expires_in: z.int().min(60).max(86_400).optional(),
};
const commonTexts = {
  name: [
    "Who acts, shown as `actor_name` in the history: 1 to 255 characters. Absent: nobody is named.",
    "Ada",
  ],
  expires_in: ["For how many seconds the token is valid: 60 to 86,400, 3,600 by default.", 3600],
} as const;

const scope = z.enum(allScopes).openapi("Scope", {
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

const TokenRequest = z
  .discriminatedUnion("actor_type", [StaffToken, CustomerToken])
  .openapi("TokenRequest", { example: { actor_type: "admin", name: "Ada" } });

const Token = named(
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

const JsonWebKeySet = named("JsonWebKeySet", z.strictObject({ keys: z.array(JsonWebKey) }), {
  keys: "The keys; the one that signs comes first.",
});

export const authOperations = [
  operation({
    id: "createToken",
    method: "post",
    path: "/api/auth/token",
    tag: "Authentication",
    summary: "Sign in a member of staff, a customer or an integration",
    description: `For the merchant's server, which holds the key. A customer's token names a profile, such as \`${demoId("profile", 1)}\`, and has the operations that are meant for customers, whatever the key's scopes. Revoking the key ends its tokens; deleting the profile ends a customer's.`,
    credentials: "apiKey",
    resource: "tokens",
    idempotent: false,
    body: TokenRequest,
    errors: ["UNKNOWN_PROFILE"],
    success: { status: 200, description: "A bearer token.", schema: Token },
    handler: async ({ c, ctx, body }) => {
      if (!(await canSign(ctx.env)))
        throw new DomainError("UNAVAILABLE", "This deployment has no key to sign tokens with");
      const key = c.get("key") as ApiKey;
      const { expires_in: expiresIn = defaultSeconds, name, ...subject } = body;
      const granted = subject.actor_type === "customer" ? null : grantedScopes(key, subject.scopes);
      if (subject.actor_type === "customer") await requireProfile(ctx, subject.profile_id);
      const { account } = ctx;
      const access_token = await signToken(ctx.env, {
        claims: {
          account_id: account.id,
          ...(subject.actor_type === "customer"
            ? { actor_type: subject.actor_type, profile_id: subject.profile_id }
            : { actor_type: subject.actor_type }),
          ...(name === undefined ? {} : { name }),
        },
        keyId: key.id,
        scopes: granted,
        expiresIn,
        now: c.get("now"),
      });
      return { access_token, token_type: "Bearer" as const, expires_in: expiresIn };
    },
  }),
  operation({
    id: "listPublicKeys",
    method: "get",
    path: "/.well-known/jwks.json",
    tag: "Authentication",
    summary: "The public keys of this deployment's tokens",
    description: "There are several while a key is replaced. Caches may keep them for five minutes.",
    credentials: "none",
    success: { status: 200, description: "A JSON Web Key Set (RFC 7517).", schema: JsonWebKeySet },
    handler: async ({ c }) => {
      c.header("Cache-Control", "public, max-age=300");
      return { keys: await publicKeys(c.get("env")) };
    },
  }),
  securityTxt,
];

/** What a token may do: what was asked for, which the key has to have, or all that the key has. */
function grantedScopes(key: ApiKey, requested: Scope[] | undefined): Scope[] | null {
  const held = scopesOf(key);
  const lacking = requested?.find((scope) => held !== null && !held.includes(scope));
  if (lacking) throw new DomainError("FORBIDDEN", `The API key lacks the scope ${lacking}`);
  return requested ?? held;
}
