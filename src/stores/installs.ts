import type { Db } from "../base/db/port.ts";
import type { Env } from "../base/env.ts";
import type { Log } from "../base/lib/log.ts";

/** The port through which merchants install the deployment's app at their store themselves (OAuth). */
export interface StoreInstalls {
  /** The merchant, or the store's admin, has opened the app: leads to the store's consent, or says why it cannot. */
  start(visit: InstallVisit): Promise<InstallStep>;
  /** The merchant comes back from the store's consent. `isConfirmed`: they want a connection that works to be replaced. */
  finish(visit: InstallVisit, isConfirmed: boolean): Promise<InstallStep>;
}

/** `browser` is what a cookie says of the browser that began an installation; undefined if it has none. */
export type InstallVisit = { env: Env; db: Db; url: URL; browser: string | undefined; now: Date; log: Log };

export type InstallStep =
  | { step: "redirect"; to: string; browser: string }
  /** The account's connection works: it is replaced only if the merchant says so. */
  | { step: "confirm"; shop: string }
  /** `isNew` where this visit has connected it. `frames` are the sites that may show the page in a frame. */
  | { step: "connected"; shop: string; account_id: string; isNew: boolean; frames: string[] }
  /** `begin` is the path at which the merchant may begin again, where that can help. */
  | { step: "refused"; status: 400 | 404 | 409 | 503; reason: string; begin?: string };
