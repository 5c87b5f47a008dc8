/** Stands in for "cloudflare:workers", and gives the Worker what workerd has and Node has not. */
import { timingSafeEqual } from "node:crypto";
import { openCache } from "./cache.ts";

/** Accounts with an object are not served here. */
export class DurableObject {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }
}

Object.assign(globalThis, { caches: { default: openCache() } });
Object.assign(crypto.subtle, {
  timingSafeEqual: (one: ArrayBuffer, other: ArrayBuffer) =>
    timingSafeEqual(new Uint8Array(one), new Uint8Array(other)),
});
