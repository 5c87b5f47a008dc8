import type { Context, MiddlewareHandler } from "hono";
import { DomainError } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";

const windowSeconds = 60;

const limited = () => new DomainError("RATE_LIMITED", "Too many requests, try again in a minute");

const addressOf = (c: Context<HonoEnv>): string => c.req.header("cf-connecting-ip") ?? "unknown";

/** A limiter that fails allows the request, because it only dampens abuse and protects no money. */
const allows = (c: Context<HonoEnv>, limiter: RateLimit, key: string): Promise<boolean> =>
  limiter.limit({ key }).then(
    ({ success }) => success,
    (error) => {
      c.get("log")("rate_limiter_failed", { cause: String(error) });
      return true;
    },
  );

/** Counts a request, or a credential that is not valid, against its client address. Throws RATE_LIMITED past the limit. */
export const countByAddress = async (c: Context<HonoEnv>): Promise<void> => {
  if (!(await allows(c, c.get("env").ADDRESS_LIMITER, addressOf(c)))) throw limited();
};

/**
 * Limits requests per minute, by key or token, else by client address. The headers are those of
 * draft-ietf-httpapi-ratelimit-headers. The platform's limiter does not report what remains, so only a refusal has `RateLimit`.
 */
export const rateLimit: MiddlewareHandler<HonoEnv> = async (c, next) => {
  const env = c.get("env");
  const credential = c.get("credential");
  const [limiter, key, name, quota] = credential
    ? ([env.KEY_LIMITER, credential, "credential", env.RATE_LIMIT_PER_KEY] as const)
    : ([env.ADDRESS_LIMITER, addressOf(c), "address", env.RATE_LIMIT_PER_ADDRESS] as const);
  c.header("RateLimit-Policy", `"${name}";q=${quota};w=${windowSeconds}`);
  if (await allows(c, limiter, key)) return next();
  c.header("RateLimit", `"${name}";r=0;t=${windowSeconds}`);
  throw limited();
};
