import type { Context } from "hono";
import { DomainError } from "../../base/errors.ts";
import type { HonoEnv } from "./document/operation.ts";
import { hostOf } from "./public-address.ts";

const localName = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The local server has a public demo key, so it answers to its own names only: a page whose host name leads to this machine
 * (DNS rebinding) could otherwise call it from any browser on it.
 */
export function requireLocalHost(c: Context<HonoEnv>): void {
  if (c.get("env").ENVIRONMENT !== "local") return;
  if (!localName.test(hostOf(c).replace(/:\d+$/, "")))
    throw new DomainError("FORBIDDEN", "The local server answers to its own name only");
}
