import type { Context } from "hono";
import { DomainError } from "../../base/errors.ts";
import type { CountedCaller, HonoEnv } from "./document/operation.ts";
import { forwardedOf } from "./in-process.ts";

/**
 * Counts a request against its client address, once however often it is called. Throws RATE_LIMITED beyond the limit. It
 * comes before the database or an identity provider is asked about a credential that this isolate does not know, so that
 * guessing costs neither.
 */
export async function countByAddress(c: Context<HonoEnv>): Promise<void> {
  if (c.get("countedByAddress") || isCountedOutside(c)) return;
  c.set("countedByAddress", true);
  const { ADDRESS_LIMITER: limiter, RATE_LIMIT_PER_ADDRESS: quota } = c.get("env");
  await enforce(c, [{ name: "address", quota, limiter, key: addressOf(c) }]);
}

/**
 * Counts a store's verified webhook by its account. The limit is generous, because stores send bursts; beyond it they try again
 * later, and one shop's flood leaves the queue and the database to the others.
 */
export async function countWebhook(c: Context<HonoEnv>, accountId: string): Promise<void> {
  const { TOKENS_LIMITER: limiter, RATE_LIMIT_PER_KEY: quota } = c.get("env");
  await enforce(c, [
    { name: "webhooks", quota: quota * tokensPerKey, limiter, key: `webhooks of ${accountId}` },
  ]);
}

/**
 * Counts that a customer begins to enter a payment method, which makes a record at the store each time. Throws RATE_LIMITED beyond what
 * anybody who mistypes a card needs.
 */
export async function countSetup(c: Context<HonoEnv>, profileId: string): Promise<void> {
  const { SETUPS_LIMITER: limiter } = c.get("env");
  await enforce(c, [
    { name: "payment-methods", quota: setupsPerWindow, limiter, key: `setups of ${profileId}` },
  ]);
}

/** The client address as it is counted: an IPv6 address by its /64, which is what one subscriber has (RFC 6177). */
export function subscriberOf(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address.replace(/^.*:/, "");
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail?.split(":").filter((group) => group !== "") ?? [];
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

const windowSeconds = 60;
/** The binding of wrangler.toml. */
export const setupsPerWindow = 10;
/** All tokens of one key together have so many times the limit of one actor. */
const tokensPerKey = 5;
/**
 * Counts a request by who has been proven to send it, else by client address. Headers as in
 * draft-ietf-httpapi-ratelimit-headers; the platform's limiter does not say what remains, so `RateLimit` itself appears with
 * a refusal only.
 */
export function rateLimit(c: Context<HonoEnv>): Promise<void> | undefined {
  const counted = c.get("counted");
  if (isCountedOutside(c)) return undefined;
  return counted ? countProven(c, counted) : countByAddress(c);
}

function countProven(c: Context<HonoEnv>, { key, issuer }: CountedCaller): Promise<void> {
  const { KEY_LIMITER, TOKENS_LIMITER, RATE_LIMIT_PER_KEY: quota } = c.get("env");
  const policies: Policy[] = [{ name: "credential", quota, limiter: KEY_LIMITER, key }];
  if (issuer !== undefined)
    policies.push({ name: "tokens", quota: quota * tokensPerKey, limiter: TOKENS_LIMITER, key: issuer });
  return enforce(c, policies);
}

function isCountedOutside(c: Context<HonoEnv>): boolean {
  return forwardedOf(c.req.raw)?.isCounted === true;
}

type Policy = { name: string; quota: number; limiter: RateLimit; key: string };

async function enforce(c: Context<HonoEnv>, policies: Policy[]): Promise<void> {
  const allowed = await Promise.all(policies.map(({ limiter, key }) => allows(c, limiter, key)));
  const described = policies.map(({ name, quota }) => `"${name}";q=${quota};w=${windowSeconds}`);
  c.header("RateLimit-Policy", described.join(", "));
  const exhausted = policies.find((_, index) => !allowed[index]);
  if (!exhausted) return;
  c.header("RateLimit", `"${exhausted.name}";r=0;t=${windowSeconds}`);
  throw new DomainError("RATE_LIMITED", "Too many requests, try again in a minute");
}

/** A limiter that fails lets requests through: it damps abuse and guards no money. */
function allows(c: Context<HonoEnv>, limiter: RateLimit, key: string): Promise<boolean> {
  return limiter.limit({ key }).then(
    ({ success }) => success,
    (error) => {
      c.get("log")("rate_limiter_failed", { cause: String(error) });
      return true;
    },
  );
}

/** The client address of a request, as it is counted. */
export function addressOf(c: Context<HonoEnv>): string {
  return subscriberOf(c.req.header("cf-connecting-ip") ?? "unknown");
}
