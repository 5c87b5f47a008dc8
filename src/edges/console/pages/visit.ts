import { scopesOfRole } from "../../../base/accounts/roles.ts";
import type { Scope } from "../../../base/accounts/scopes.ts";
import type { BillingAttemptList } from "../../../domain/billing/schemas.ts";
import type { AccountEpisodeList } from "../../../domain/dunning/schemas.ts";
import type { MailList } from "../../../domain/mail/log-schemas.ts";
import type { JobList } from "../../../domain/merchant-jobs/schemas.ts";
import type { OrderList } from "../../../domain/orders/schemas.ts";
import { findStaffSession, touchSession } from "../../../domain/staff-sessions/sessions.ts";
import type { SubscriptionList } from "../../../domain/subscriptions/schemas.ts";
import type { EndpointList } from "../../../domain/webhook-endpoints/schemas.ts";
import type { AnyOperation } from "../../../kit/http/document/operation.ts";
import { type AnswerTo, type Call, makeAskAs } from "../../pages/ask.ts";
import { openShop, staffCookie } from "../../pages/shop-visit.ts";
import { type C, type ConsoleVisit, plain, type StaffVisit } from "./console-env.ts";

/** The visit of a request, opened in one trip; or the answer of the shop's object. Throws NOT_FOUND where there is no such shop. */
export async function openVisit(c: C): Promise<ConsoleVisit | Response> {
  const opened = await openShop(plain(c), {
    cookie: staffCookie,
    find: (db, by) => findStaffSession({ db }, by),
  });
  if (opened instanceof Response) return opened;
  const { account, shop, session } = opened;
  if (session) noteSeen(c, session);
  return { c, account, base: `/console/${shop}`, session };
}

/** Notes that a member was here, once the page is answered. */
function noteSeen(c: C, session: NonNullable<ConsoleVisit["session"]>): void {
  c.executionCtx.waitUntil(
    touchSession({ db: c.get("db") }, session, c.get("now").toISOString()).catch((error) =>
      c.get("log")("staff_visit_not_noted", { cause: String(error) }),
    ),
  );
}

/** Makes the function with which pages call operations as the member of staff. */
export function makeAsk(operations: AnyOperation[]) {
  const askAs = makeAskAs<AnswerSchemas>(operations);
  return <const Calls extends readonly PageCall[]>({ c, account, session }: StaffVisit, ...calls: Calls) =>
    askAs(plain(c), { account, claims: claimsOf({ account, session }), isSession: true }, calls);
}

/** The schema of each operation's answer that pages call. */
type AnswerSchemas = {
  listAllBillingAttempts: typeof BillingAttemptList;
  listAllDunningEpisodes: typeof AccountEpisodeList;
  listJobs: typeof JobList;
  listMails: typeof MailList;
  listOrders: typeof OrderList;
  listSubscriptions: typeof SubscriptionList;
  listWebhookEndpoints: typeof EndpointList;
};

export type AskAsStaff = ReturnType<typeof makeAsk>;
export type PageOperation = keyof AnswerSchemas;
type PageCall<Id extends PageOperation = PageOperation> = Call<Id>;
export type PageAnswer<Id extends PageOperation> = AnswerTo<AnswerSchemas, { id: Id }>;

/** Whether the member's role has a scope. What it lacks is not rendered. */
export function may({ session }: Pick<StaffVisit, "session">, scope: Scope): boolean {
  return scopesOfRole(session.role).includes(scope);
}

function claimsOf({ account, session }: Pick<StaffVisit, "account" | "session">) {
  const { id, staff_id, name, role, created_at, expires_at } = session;
  return {
    account_id: account.id,
    actor_type: "admin" as const,
    name,
    token_id: id,
    subject: staff_id,
    staff: { id: staff_id, role, signed_in_at: created_at },
    scopes: scopesOfRole(role),
    expires_at_ms: Date.parse(expires_at),
  };
}
