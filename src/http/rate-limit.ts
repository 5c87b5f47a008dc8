import type { Context, MiddlewareHandler } from "hono";
import { DomainError } from "../errors.ts";
import type { HonoEnv } from "./hono-env.ts";

const windowSeconds = 60;

const limited = () => new DomainError("RATE_LIMITED", "Too many requests, try again in a minute");

const addressOf = (c: Context<HonoEnv>): string => c.req.header("cf-connecting-ip") ?? "unknown";

/** A limiter that fails lets through: it damps abuse and guards no money. */
const allows = (c: Context<HonoEnv>, limiter: RateLimit, key: string): Promise<boolean> =>
  limiter.limit({ key }).then(
    ({ success }) => success,
    (error) => {
      c.get("log")("rate_limiter_failed", { cause: String(error) });
      return true;
    },
  );

/** Counts a request, or a bad credential, against its client address. Throws RATE_LIMITED once there were too many. */
export const countByAddress = async (c: Context<HonoEnv>): Promise<void> => {
  if (!(await allows(c, c.get("env").ADDRESS_LIMITER, addressOf(c)))) throw limited();
};

/**
 * Requests a minute by key or token, else by client address. Headers as in draft-ietf-httpapi-ratelimit-headers;
 * the platform's limiter does not tell what remains, so `RateLimit` itself appears with a refusal only.
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
