import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { type ActionName, type Fields, isActionName, type Undo } from "./actions.ts";
import type { PageEnv } from "./page-env.ts";

/** The attempt that answers what a customer has confirmed, and whether that has started it. */
export type AnsweredAttempt = { id: string; isNew: boolean };

/**
 * The change that was just made in a subscription, or an offer that was accepted instead of leaving, the attempt that it has started or that answers it, and the action that undoes
 * it.
 */
export type Notice = { done: ActionName | "offer"; undo?: Undo; attempt?: AnsweredAttempt };

/** Keeps a notice for the page that follows. It is the customer's own text, which the API checks like any other. */
export function keepNotice(c: Context<PageEnv>, id: string, notice: Notice): void {
  const whole = JSON.stringify({ id, ...notice });
  const short = JSON.stringify({ id, done: notice.done });
  setCookie(c, cookie, encodeURIComponent(whole).length > lengthMax ? short : whole, options);
}

/** The notice for this subscription's page, if the last change was of this subscription. */
export function noticeFor(c: Context<PageEnv>, id: string): Notice | undefined {
  const kept = parseNotice(getCookie(c, cookie) ?? "");
  if (kept?.id !== id) return undefined;
  if (kept.done === "offer") return { done: "offer" };
  if (!isActionName(String(kept.done))) return undefined;
  const { action, fields, total } = kept.undo ?? {};
  const undo =
    isActionName(String(action)) && fields
      ? { action: action as ActionName, fields, ...(typeof total === "number" ? { total } : {}) }
      : undefined;
  const { attempt } = kept;
  return {
    done: kept.done as ActionName,
    ...(undo ? { undo } : {}),
    ...(attempt ? { attempt: { id: String(attempt.id), isNew: attempt.isNew === true } } : {}),
  };
}

const cookie = "__Host-perennial-notice";
const options = { path: "/", secure: true, httpOnly: true, sameSite: "Lax", maxAge: 600 } as const;
/** Browsers keep cookies of at most 4 KB. A longer one says what was done, and offers no undo. */
const lengthMax = 3_000;

type Kept = {
  id?: string;
  done?: string;
  undo?: { action?: string; fields?: Fields; total?: number };
  attempt?: Partial<AnsweredAttempt>;
};

function parseNotice(text: string): Kept | undefined {
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return undefined;
  }
}
