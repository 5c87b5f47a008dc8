import { z } from "@hono/zod-openapi";
import { allScopes, type Scope } from "../accounts/scopes.ts";
import { canSign, publicKeys } from "../accounts/signing-keys.ts";
import type { ApiKey } from "../accounts/tables.ts";
import { signToken } from "../accounts/tokens.ts";
import { demoId } from "../demo.ts";
import { DomainError } from "../errors.ts";
import { scopesOf } from "../http/credentials.ts";
import { operation } from "../http/operation.ts";
import { idIn, text } from "../http/params.ts";
import { requireProfile } from "../profiles/queries.ts";
import { securityTxt } from "./security-txt.ts";

const defaultSeconds = 3600;

const common = {
  name: text({ min: 1, max: 255 })
    .optional()
    .openapi({ description: "Who acts, shown as `actor_name` in the history. Nobody is named by default." }),
  expires_in: z.int().min(60).max(86_400).optional().openapi({
    description: "For how many seconds the token is valid: from 60 to 86400, 3600 by default.",
  }),
};

const scopes = z
  .array(z.enum(allScopes).openapi("Scope"))
  .min(1)
  .optional()
  .openapi({
    description:
      "What the token may do: some of the key's scopes. By default it has all of them. One that the key lacks is refused.",
    example: ["subscriptions:read"],
  });

const TokenRequest = z
  .discriminatedUnion("actor_type", [
    z.strictObject({ actor_type: z.enum(["admin", "api"]), ...common, scopes }),
    z.strictObject({
      actor_type: z.literal("customer"),
      profile_id: idIn.openapi({ description: "The profile of the customer, the only one that it reaches." }),
      ...common,
    }),
  ])
  .openapi("TokenRequest", { example: { actor_type: "admin", name: "Ada" } });

const Token = z
  .strictObject({
    access_token: z.string().openapi({ description: "The token, for the header `Authorization: Bearer`." }),
    token_type: z.literal("Bearer"),
    expires_in: z.int().openapi({ description: "For how many seconds it is valid." }),
  })
  .openapi("Token");

const JsonWebKeySet = z
  .strictObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })) })
  .openapi("JsonWebKeySet");

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
