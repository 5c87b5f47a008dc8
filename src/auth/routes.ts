import { z } from "@hono/zod-openapi";
import { canSign, publicKeys, signToken } from "../accounts/tokens.ts";
import { demoId } from "../demo.ts";
import { DomainError } from "../errors.ts";
import { operation } from "../http/operation.ts";
import { idIn, text } from "../http/params.ts";
import { requireProfile } from "../profiles/queries.ts";

const defaultSeconds = 3600;

const common = {
  name: text({ min: 1, max: 255 }).optional().openapi({ description: "Shown as actor_name in the history." }),
  expires_in: z.int().min(60).max(86_400).optional().openapi({ description: "Seconds; 3600 unless told." }),
};

const TokenRequest = z
  .discriminatedUnion("actor_type", [
    z.strictObject({ actor_type: z.enum(["admin", "api"]), ...common }),
    z.strictObject({ actor_type: z.literal("customer"), profile_id: idIn, ...common }),
  ])
  .openapi("TokenRequest", { example: { actor_type: "admin", name: "Ada" } });

const Token = z
  .strictObject({ access_token: z.string(), token_type: z.literal("Bearer"), expires_in: z.int() })
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
    description: `For the merchant's server, which holds the key. A customer's token names a profile, such as \`${demoId("profile", 1)}\`.`,
    credentials: "apiKey",
    idempotent: false,
    body: TokenRequest,
    errors: ["UNKNOWN_PROFILE"],
    success: { status: 200, description: "A bearer token.", schema: Token },
    handler: async ({ c, ctx, body }) => {
      if (!(await canSign(ctx.env)))
        throw new DomainError("UNAVAILABLE", "This deployment has no key to sign tokens with");
      const { expires_in = defaultSeconds, name, ...subject } = body;
      if (subject.actor_type === "customer") await requireProfile(ctx, subject.profile_id);
      const claims = { account_id: ctx.account.id, ...subject, ...(name === undefined ? {} : { name }) };
      const access_token = await signToken(ctx.env, claims, expires_in, c.get("now"));
      return { access_token, token_type: "Bearer" as const, expires_in };
    },
  }),
  operation({
    id: "listPublicKeys",
    method: "get",
    path: "/.well-known/jwks.json",
    tag: "Authentication",
    summary: "The public keys of this deployment's tokens",
    credentials: "none",
    success: { status: 200, description: "A JSON Web Key Set (RFC 7517).", schema: JsonWebKeySet },
    handler: async ({ c }) => {
      c.header("Cache-Control", "public, max-age=300");
      return { keys: await publicKeys(c.get("env")) };
    },
  }),
];
