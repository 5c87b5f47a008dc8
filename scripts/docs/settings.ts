import { type Bindings, parseEnv, type SettingName, settingNames } from "../../src/base/env.ts";
import { table, withPart } from "./part.ts";

type Meaning = { kind: "var" | "secret"; says: string };

/** The meaning of each setting of env.ts. One that is new there does not compile without. */
const meanings: Record<SettingName, Meaning> = {
  ENVIRONMENT: { kind: "var", says: "the deployment's name: `local`, `staging` or `production`" },
  PUBLIC_URL: {
    kind: "var",
    says: "required: the https origin of the deployment, with which links, pages of lists and redirects begin",
  },
  RATE_LIMIT_PER_KEY: {
    kind: "var",
    says: "requests a minute per key, and per actor of a key's tokens, which together have five times as many",
  },
  RATE_LIMIT_PER_ADDRESS: {
    kind: "var",
    says: "requests a minute per client address without a credential",
  },
  JWT_PRIVATE_JWK: {
    kind: "secret",
    says: "the private key (JWK; Ed25519 or P-256) that signs tokens, or a set whose first key signs; without it `POST /api/auth/token` is 503",
  },
  JWT_AUDIENCE: { kind: "var", says: "the `aud` that tokens must have" },
  JWT_ISSUER: {
    kind: "var",
    says: "the `iss` of an [identity provider](secrets.md#an-identity-provider) whose tokens are trusted too; goes with `JWKS_URL`",
  },
  JWKS_URL: { kind: "var", says: "the https address of that provider's key set" },
  STORE_CREDENTIALS_KEY: {
    kind: "secret",
    says: "required: 32 bytes in base64 that seal credentials of stores and secrets of endpoints; or several, separated by commas, of which the first seals",
  },
  STORE_CLIENT_ID: {
    kind: "var",
    says: "the Shopify app that merchants [install](shopify.md#let-merchants-install-your-app) themselves; without it they cannot",
  },
  STORE_CLIENT_SECRET: {
    kind: "secret",
    says: "that app's secret; or two, separated by a comma, the new one first, while it is replaced",
  },
  ALLOWED_ORIGINS: {
    kind: "var",
    says: "origins, separated by commas, whose browsers may call the API; the portal look-up is open to all",
  },
  MAIL_API_URL: {
    kind: "var",
    says: "tests only: an http address on this machine in place of Resend and Postmark; deployments do not read it",
  },
  STRIPE_API_URL: {
    kind: "var",
    says: "tests only: an http address on this machine in place of Stripe; deployments do not read it",
  },
  TEST_CLOCKS: {
    kind: "var",
    says: "`on`: accounts on the sandbox store, or in Stripe's test mode, have a test clock",
  },
  READ_REPLICAS: {
    kind: "var",
    says: "`on`: [replicas](scale.md#replicas) of D1 may answer reads, and responses have bookmarks",
  },
  SECURITY_CONTACT: {
    kind: "var",
    says: "a `mailto:` or `https:` address for `/.well-known/security.txt`; without it that path is 404",
  },
  OPERATOR_KEY: {
    kind: "secret",
    says: "the operators' key to [their door](accounts.md#the-operators-door) and `/metrics`, 32 characters or more; without it neither exists",
  },
  LIBSQL_URL: {
    kind: "var",
    says: "a [libSQL](backup.md#libsql-or-turso) database in place of D1; not on one machine",
  },
  LIBSQL_AUTH_TOKEN: { kind: "secret", says: "its token" },
};

/** docs/run/settings.md with every setting of env.ts, its default as the code has it, and its meaning. */
export function withSettings(text: string): string {
  const defaults = parseEnv({ PUBLIC_URL: "https://subscriptions.example.com" } as unknown as Bindings);
  const rows = settingNames.map((name) => {
    const { kind, says } = meanings[name];
    const value = name === "PUBLIC_URL" ? "" : String(defaults[name] ?? "");
    return [`\`${name}\``, kind, value && `\`${value}\``, says];
  });
  return withPart(text, "Settings", table(["Setting", "Kind", "Default", "Meaning"], rows));
}
