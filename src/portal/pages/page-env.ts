import type { Context } from "hono";
import type { HonoEnv } from "../../http/hono-env.ts";
import type { Visit } from "./visit.ts";

export type PageEnv = HonoEnv & {
  Variables: {
    visit?: Visit;
    /** The fields that a form has sent. */
    sent: URLSearchParams;
  };
};

/** The context for functions that know less of it. TypeScript compares the variables exactly, because they can be set. */
export function plain(c: Context<PageEnv>): Context<HonoEnv> {
  return c as unknown as Context<HonoEnv>;
}

/** The visit of a page of a shop's portal, which is opened before any of them. */
export function visitOf(c: Context<PageEnv>): Visit {
  return c.get("visit") as Visit;
}
