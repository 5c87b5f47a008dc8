/** The runtime's own names within Node. The project `browser` has this in the place of "cloudflare:workers". */
import { timingSafeEqual } from "node:crypto";

/** So many calls of a key in each minute, as it begins with the first of them. */
export function limiter(limit: number) {
  let counted = { until: 0, calls: new Map<string, number>() };
  return {
    async limit({ key }: { key: string }) {
      if (performance.now() >= counted.until)
        counted = { until: performance.now() + 60_000, calls: new Map() };
      const calls = (counted.calls.get(key) ?? 0) + 1;
      counted.calls.set(key, calls);
      return { success: calls <= limit };
    },
  };
}

const seldom = limiter(100_000);

/** Limits that no test reaches. */
export const limiters = {
  ...{ KEY_LIMITER: seldom, TOKENS_LIMITER: seldom },
  ...{ ADDRESS_LIMITER: seldom, SETUPS_LIMITER: seldom },
};

export class DurableObject {
  readonly ctx: unknown;
  readonly env: unknown;

  constructor(ctx: unknown, bindings: unknown) {
    this.ctx = ctx;
    this.env = bindings;
  }
}

Object.assign(crypto.subtle, {
  timingSafeEqual: (one: BufferSource, other: BufferSource) =>
    timingSafeEqual(new Uint8Array(one as ArrayBuffer), new Uint8Array(other as ArrayBuffer)),
});
Object.assign(globalThis, {
  caches: { default: { match: async () => undefined, put: async () => {}, delete: async () => false } },
});
