import { z } from "zod";
import { once } from "./lib/once.ts";
import { findPublicUrlFault } from "./lib/public-host.ts";
import { findKeyFault } from "./lib/secrets/sealed.ts";

/** The bindings with their settings checked, once per isolate. Throws, naming the setting, if one is wrong. */
export function parseEnv(bindings: Bindings): Env {
  const known = parsed.get(bindings);
  if (known) return known;
  const result = checkedSettings().safeParse(bindings);
  if (!result.success) throw new Error(`Configuration is not valid: ${z.prettifyError(result.error)}`);
  const { KEY_LIMITER, TOKENS_LIMITER, ADDRESS_LIMITER, SETUPS_LIMITER } = bindings;
  const { DB, JOBS, EVENTS, ASSETS, ACCOUNTS, STORAGE, COUNTERS } = bindings;
  const env: Env = {
    ...{ ...result.data, DB, JOBS, EVENTS, ASSETS },
    ...{ KEY_LIMITER, TOKENS_LIMITER, ADDRESS_LIMITER, SETUPS_LIMITER },
    ...(ACCOUNTS ? { ACCOUNTS } : {}),
    ...(STORAGE ? { STORAGE } : {}),
    ...(COUNTERS ? { COUNTERS } : {}),
  };
  parsed.set(bindings, env);
  return env;
}

/** Computes a value once for each environment, that is, once for each isolate. */
export function perEnv<V>(compute: (env: Env) => V): (env: Env) => V {
  const values = new WeakMap<Env, { value: V }>();
  return (env) => {
    const known = values.get(env) ?? { value: compute(env) };
    values.set(env, known);
    return known.value;
  };
}

/** Whether this is a deployment, which may reach real customers. */
export function isDeployed(environment: string): boolean {
  return ["staging", "production"].includes(environment);
}

/** The keys that secrets are sealed with. Every deployment has one. */
export function credentialsKeyOf({ STORE_CREDENTIALS_KEY: keys }: Env): string {
  if (keys === undefined) throw new Error("STORE_CREDENTIALS_KEY is not set");
  return keys;
}

const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );

/** The place of the rows of an account: in the deployment's database, or in an object of its own. */
export const engines = ["d1", "object"] as const;
export type Engine = (typeof engines)[number];

/** The `iss` of tokens that a deployment signs itself. */
export const ownIssuer = "perennial";

const onThisMachine = z.url({
  protocol: /^http$/,
  hostname: /^(127\.0\.0\.1|localhost|\[::1\])$/,
  error: "must be an http address on this machine",
});

const settings = z.object({
  ENVIRONMENT: z.string().default("local"),
  /** The origin that addresses of this deployment are made of, in links, pages of lists and OAuth redirects: never a request's Host. */
  PUBLIC_URL: z.string({ error: "is not set" }).superRefine((text, { addIssue }) => {
    const fault = findPublicUrlFault(text);
    if (fault !== undefined) addIssue(fault);
  }),
  /**
   * Requests a minute per key and per actor of a key's tokens, and per client address without a credential: the same numbers
   * as in [[ratelimits]]. All tokens of a key share five times the first.
   */
  RATE_LIMIT_PER_KEY: z.coerce.number().int().positive().default(600),
  RATE_LIMIT_PER_ADDRESS: z.coerce.number().int().positive().default(120),
  /** The private key (JWK, EdDSA or ES256) that signs this deployment's own tokens; or a set, whose first key signs. */
  JWT_PRIVATE_JWK: z.string().optional(),
  JWT_AUDIENCE: z.string().min(1).default("perennial"),
  /** An identity provider whose tokens are trusted: both or neither. */
  JWT_ISSUER: z.string().min(1).optional(),
  JWKS_URL: z.url({ protocol: /^https$/, error: "must be an https address" }).optional(),
  /** 32 bytes in base64 that seal the credentials of connected stores (AES-GCM); or several, divided by commas, of which the first seals. */
  STORE_CREDENTIALS_KEY: z
    .string()
    .superRefine((keys, { addIssue }) => {
      const fault = findKeyFault(keys);
      if (fault !== undefined) addIssue(fault);
    })
    .optional(),
  /** The app by which stores install this deployment, and its secret; or two, divided by a comma, while it is rotated, the new one first. */
  STORE_CLIENT_ID: z.string().min(1).optional(),
  STORE_CLIENT_SECRET: list,
  ALLOWED_ORIGINS: list,
  /** An address on this machine that stands in for the HTTP providers of mails in tests. Deployments do not read it. */
  MAIL_API_URL: onThisMachine.optional(),
  /** A stand-in for Stripe's API, for tests and demonstrations on one machine. */
  STRIPE_API_URL: onThisMachine.optional(),
  /** Whether accounts whose store charges nobody have a test clock. */
  TEST_CLOCKS: z.enum(["on", "off"]).default("off"),
  /** Whether reads may be answered by D1's replicas, once the database has some. */
  READ_REPLICAS: z.enum(["on", "off"]).default("off"),
  /** The address that security.txt asks finders to write to (RFC 9116): a mailto: or https: address. */
  SECURITY_CONTACT: z
    .url({ protocol: /^(mailto|https)$/, error: "must be a mailto: or https: address" })
    .optional(),
  /** The key that operators send to /internal; without it there is no such path. */
  OPERATOR_KEY: z.string().min(32, "must have 32 characters or more").optional(),
  LIBSQL_URL: z.string().min(1).optional(),
  LIBSQL_AUTH_TOKEN: z.string().min(1).optional(),
});

/** Made once: objects and tests have bindings of their own, many in an isolate. */
const checkedSettings = once(() =>
  settings
    .refine((env) => (env.JWT_ISSUER === undefined) === (env.JWKS_URL === undefined), {
      message: "JWT_ISSUER and JWKS_URL go together",
      path: ["JWKS_URL"],
    })
    .refine((env) => env.JWT_ISSUER !== ownIssuer, {
      message: `must not be ${ownIssuer}, the issuer of the deployment's own tokens`,
      path: ["JWT_ISSUER"],
    })
    .refine((env) => (env.STORE_CLIENT_ID === undefined) === (env.STORE_CLIENT_SECRET.length === 0), {
      message: "STORE_CLIENT_ID and STORE_CLIENT_SECRET go together",
      path: ["STORE_CLIENT_SECRET"],
    }),
);

export type SettingName = keyof z.infer<typeof settings>;

/** The name of every setting that is a text. */
export const settingNames = Object.keys(settings.shape) as SettingName[];

/** The storage of an object, beside the code that uses it. */
export type ObjectStorage = {
  storage: Pick<DurableObjectStorage, "sql" | "transactionSync">;
  /** Called within the same turn as a batch that has written, so that what it stores is committed with the batch. */
  afterWrite?: () => void;
};

/** The bindings of wrangler.toml, and the deployment's secrets. */
export type Bindings = {
  DB: D1Database;
  JOBS: Queue<unknown>;
  /** Deliveries of events, apart from everything else: an endpoint that hangs holds up nothing but itself. */
  EVENTS: Queue<unknown>;
  KEY_LIMITER: RateLimit;
  TOKENS_LIMITER: RateLimit;
  ADDRESS_LIMITER: RateLimit;
  SETUPS_LIMITER: RateLimit;
  ASSETS: Fetcher;
  /** The objects of the accounts that have one. */
  ACCOUNTS?: Pick<DurableObjectNamespace, "getByName">;
  /** The storage of the object that the code runs in; absent outside of objects. */
  STORAGE?: ObjectStorage;
  /** On one machine: what its process has counted, as lines of /metrics. */
  COUNTERS?: () => string;
} & { [K in keyof z.infer<typeof settings>]?: string };

export type Env = z.output<typeof settings> & Omit<Bindings, keyof z.infer<typeof settings>>;

const parsed = new WeakMap<object, Env>();
