import type { Context } from "hono";
import type { Account } from "../../../base/accounts/tables.ts";
import { type CalendarDate, dateIn } from "../../../base/lib/time/dates.ts";
import type { OpenStaffSession } from "../../../domain/staff-sessions/sessions.ts";
import { type Ctx, openCtx } from "../../../kit/context.ts";
import type { HonoEnv } from "../../../kit/http/document/operation.ts";
import type { Waiting } from "./to-do/waiting.ts";

/** A request of a page of a shop's console. */
export type ConsoleVisit = {
  c: C;
  account: Account;
  /** The path of the shop's console. */
  base: string;
  session: OpenStaffSession | undefined;
};
export type StaffVisit = ConsoleVisit & { session: OpenStaffSession };

export type ConsoleEnv = HonoEnv & {
  Variables: {
    visit?: ConsoleVisit;
    /** The things that wait for a person: the rail shows how many they are, and Today the oldest. */
    waiting?: Waiting;
    /** The fields that a form has sent. */
    sent: URLSearchParams;
  };
};
export type C = Context<ConsoleEnv>;

/** The context for functions that know less of it. TypeScript compares the variables exactly, because they can be set. */
export function plain(c: C): Context<HonoEnv> {
  return c as unknown as Context<HonoEnv>;
}

/** The visit of a page of a shop's console, which is opened before any of them. */
export function visitOf(c: C): ConsoleVisit {
  return c.get("visit") as ConsoleVisit;
}

/** The visit of a page that is served to members of staff alone. */
export function staffVisitOf(c: C): StaffVisit {
  return visitOf(c) as StaffVisit;
}

/** The context of what a page has the service do by itself. */
export function openSystemCtx(c: C, account: Account): Promise<Ctx> {
  const [env, db, log, realNow] = [c.get("env"), c.get("db"), c.get("log"), c.get("now")];
  return openCtx({ env, db, account, actor: { type: "system", name: null }, log, realNow });
}

/** The shop's day. */
export function todayOf({ c, account }: ConsoleVisit): CalendarDate {
  return dateIn(account.clock_at ?? c.get("now").toISOString(), account.timezone);
}
