import { z } from "zod";

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

const settings = z.object({
  ENVIRONMENT: z.string().default("local"),
  /** Requests a minute per key or token, and per client address without one: the same numbers as in [[ratelimits]]. */
  RATE_LIMIT_PER_KEY: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_PER_ADDRESS: z.coerce.number().int().positive().default(120),
  /** The private key (JWK, EdDSA or ES256) that signs this deployment's own tokens. */
  JWT_PRIVATE_JWK: z.string().optional(),
  JWT_AUDIENCE: z.string().min(1).default("perennial"),
  /** An identity provider whose tokens are trusted: both or neither. */
  JWT_ISSUER: z.string().min(1).optional(),
  JWKS_URL: z.url().optional(),
  /** 32 bytes in base64: seals the credentials of connected stores (AES-GCM). */
  STORE_CREDENTIALS_KEY: z.string().min(1).optional(),
  ALLOWED_ORIGINS: list,
  LIBSQL_URL: z.string().min(1).optional(),
  LIBSQL_AUTH_TOKEN: z.string().min(1).optional(),
});

/** What wrangler.toml and the deployment's secrets bind. */
export type Bindings = {
  DB: D1Database;
  JOBS: Queue<unknown>;
  /** Deliveries of events, apart from everything else: an endpoint that hangs holds up nothing but itself. */
  EVENTS: Queue<unknown>;
  KEY_LIMITER: RateLimit;
  ADDRESS_LIMITER: RateLimit;
  ASSETS: Fetcher;
} & { [K in keyof z.infer<typeof settings>]?: string };

export type Env = z.output<typeof settings> &
  Pick<Bindings, "DB" | "JOBS" | "EVENTS" | "KEY_LIMITER" | "ADDRESS_LIMITER" | "ASSETS">;

const parsed = new WeakMap<object, Env>();

/** The bindings with their settings checked, once per isolate. Throws, naming the setting, if one is wrong. */
export const parseEnv = (bindings: Bindings): Env => {
  const known = parsed.get(bindings);
  if (known) return known;
  const result = settings
    .refine((env) => (env.JWT_ISSUER === undefined) === (env.JWKS_URL === undefined), {
      message: "JWT_ISSUER and JWKS_URL go together",
      path: ["JWKS_URL"],
    })
    .safeParse(bindings);
  if (!result.success) throw new Error(`Configuration is not valid: ${z.prettifyError(result.error)}`);
  const { DB, JOBS, EVENTS, KEY_LIMITER, ADDRESS_LIMITER, ASSETS } = bindings;
  const env: Env = { ...result.data, DB, JOBS, EVENTS, KEY_LIMITER, ADDRESS_LIMITER, ASSETS };
  parsed.set(bindings, env);
  return env;
};

/** The key that secrets are sealed with. Every deployment has one. */
export const credentialsKeyOf = ({ STORE_CREDENTIALS_KEY: key }: Env): string => {
  if (key === undefined) throw new Error("STORE_CREDENTIALS_KEY is not set");
  return key;
};
