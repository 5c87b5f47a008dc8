import { limitsOfKey, narrowed } from "../../base/accounts/limits.ts";
import type { Scope } from "../../base/accounts/scopes.ts";
import { canSign, publicKeys } from "../../base/accounts/signing-keys.ts";
import type { ApiKey } from "../../base/accounts/tables.ts";
import { signToken } from "../../base/accounts/tokens.ts";
import { minorOf } from "../../base/amounts.ts";
import { demoId } from "../../base/demo.ts";
import { DomainError } from "../../base/errors.ts";
import { requireProfile } from "../../domain/profiles/queries.ts";
import { scopesOf } from "../../kit/http/credentials.ts";
import { deferred } from "../../kit/http/deferred.ts";
import { operation } from "../../kit/http/document/operation.ts";
import { securityTxt } from "./security-txt.ts";

const { JsonWebKeySet, Token, TokenRequest } = deferred(() => import("./schemas.ts"));

const defaultSeconds = 3600;

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
      const { expires_in: expiresIn = defaultSeconds, name, requires_preview, max_amount, ...subject } = body;
      const granted = subject.actor_type === "customer" ? null : grantedScopes(key, subject.scopes);
      if (subject.actor_type === "customer") await requireProfile(ctx, subject.profile_id);
      const { account } = ctx;
      const limits = narrowed(limitsOfKey(key), {
        ...(requires_preview === undefined ? {} : { requires_preview }),
        ...(max_amount === undefined
          ? {}
          : { max_amount: minorOf(max_amount, account.currency_code, "max_amount") }),
      });
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
        limits,
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

/** The scopes of a token: those that were asked for, which the key has to have, or all that the key has. Throws FORBIDDEN. */
function grantedScopes(key: ApiKey, requested: Scope[] | undefined): Scope[] | null {
  const held = scopesOf(key);
  const lacking = requested?.find((scope) => held !== null && !held.includes(scope));
  if (lacking) throw new DomainError("FORBIDDEN", `The API key lacks the scope ${lacking}`);
  return requested ?? held;
}
