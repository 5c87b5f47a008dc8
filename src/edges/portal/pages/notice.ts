import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type ActionName, isActionName } from "./actions.ts";
import type { PageEnv } from "./page-env.ts";

/** The attempt that answers what a customer has confirmed, and whether that has started it. */
export type AnsweredAttempt = { id: string; isNew: boolean };

/**
 * The change that was just made in a subscription, or an offer that was accepted instead of leaving, or what was undone; the attempt that it has
 * started or that answers it, and the entry by which it is undone.
 */
export type Notice = {
  done: ActionName | "offer" | "undo";
  entry?: string;
  attempt?: AnsweredAttempt;
  /** The change that was undone. */
  undone?: ActionName;
  /** By a link in a mail: it is told only while it can be undone. */
  isLinked?: true;
};

/** Keeps a notice for the page that follows. It is the customer's own text, which the API checks like any other. */
export function keepNotice(c: Context<PageEnv>, id: string, notice: Notice): void {
  setCookie(c, cookie, JSON.stringify({ id, ...notice }), options);
}

/** The notice for this subscription's page, if the last change was of this subscription, or a mail's link is about one. */
export function noticeFor(c: Context<PageEnv>, id: string): Notice | undefined {
  const { done: told, undo } = c.req.query();
  if (told !== undefined && undo !== undefined && isActionName(told))
    return { done: told, entry: undo, isLinked: true };
  const kept = parseNotice(getCookie(c, cookie) ?? "");
  if (kept?.id !== id) return undefined;
  const { done, entry, attempt, undone = "" } = kept;
  if (done === "offer") return { done };
  if (done === "undo") return { done, ...(isActionName(undone) ? { undone } : {}) };
  if (!isActionName(String(done))) return undefined;
  return {
    done: done as ActionName,
    ...(entry === undefined ? {} : { entry: String(entry) }),
    ...(attempt ? { attempt: { id: String(attempt.id), isNew: attempt.isNew === true } } : {}),
  };
}

const cookie = "__Host-perennial-notice";
const options = { path: "/", secure: true, httpOnly: true, sameSite: "Lax", maxAge: 600 } as const;
type Kept = {
  id?: string;
  done?: string;
  entry?: string;
  undone?: string;
  attempt?: Partial<AnsweredAttempt>;
};

function parseNotice(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return undefined;
  }
}
