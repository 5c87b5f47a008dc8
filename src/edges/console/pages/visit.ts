import { scopesOfRole } from "../../../base/accounts/roles.ts";
import type { Scope } from "../../../base/accounts/scopes.ts";
import { DomainError } from "../../../base/errors.ts";
import type {
  BillingAttemptList,
  BillingStarted,
  PaymentMethodChanged,
} from "../../../domain/billing/schemas.ts";
import type { Upcoming } from "../../../domain/billing/upcoming/upcoming-schemas.ts";
import type { DeclarationList } from "../../../domain/declarations/schemas.ts";
import type { DeliveryDayList, DeliverySlotList } from "../../../domain/delivery/schemas.ts";
import type { AccountEpisodeList } from "../../../domain/dunning/schemas.ts";
import type { SubscriptionExplanation } from "../../../domain/explain/schemas.ts";
import type { GoodsForecast } from "../../../domain/goods/schemas.ts";
import type { Retention } from "../../../domain/insights/retention-schemas.ts";
import type { MailList } from "../../../domain/mail/log-schemas.ts";
import type { JobData, JobList, JobRowList } from "../../../domain/merchant-jobs/schemas.ts";
import type { OrderData, OrderList } from "../../../domain/orders/schemas.ts";
import type { OrderRefundData, OrderRefundList } from "../../../domain/own-orders/schemas.ts";
import type { AddressChanged, AddressData, AddressList } from "../../../domain/profiles/address-schemas.ts";
import type { ProfileData, ProfileList } from "../../../domain/profiles/schemas.ts";
import type { ReasonList } from "../../../domain/reasons/schemas.ts";
import type { SellingPlanList } from "../../../domain/selling-plans/schemas.ts";
import { findStaffSession, touchSession } from "../../../domain/staff-sessions/sessions.ts";
import type {
  InstructionsChanged,
  PaymentMethods,
  Rescheduled,
  SubscriptionData,
  SubscriptionList,
} from "../../../domain/subscriptions/schemas.ts";
import type { EndpointList } from "../../../domain/webhook-endpoints/schemas.ts";
import { type AnyOperation, scopesNeeded } from "../../../kit/http/document/operation.ts";
import type { ActivityFeed } from "../../activity-logs/schemas.ts";
import { type AnswerTo, type Call, makeAskAs } from "../../pages/ask.ts";
import { openShop, staffCookie } from "../../pages/shop-visit.ts";
import type { SessionLink } from "../../portal/schemas.ts";
import { type C, type ConsoleVisit, plain, type StaffVisit } from "./console-env.ts";
import { countingCalls, countWaiting } from "./to-do/waiting.ts";

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

type Calls = Record<string, PageCall>;

/**
 * Makes the function with which pages call operations as the member of staff, all at once: those that a page cannot do without, and besides them
 * those whose answers stand on it where the member's role has their scope.
 */
export function makeAsk(operations: AnyOperation[]) {
  const askAs = makeAskAs<AnswerSchemas>(operations);
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const reaches = (
    { session }: Pick<StaffVisit, "session">,
    { id, alsoScopes = [] }: Pick<Call<string>, "id" | "alsoScopes">,
  ): boolean => {
    const operation = byId.get(id);
    return (
      operation !== undefined &&
      (session.role === "OWNER" || !ofOwners.has(id)) &&
      scopesNeeded(operation).every((scope) => alsoScopes.includes(scope) || may({ session }, scope))
    );
  };
  const changesNothing = ({ id, query }: PageCall): boolean =>
    byId.get(id)?.method === "get" || query?.dry_run === "true";
  const ask = async <const Needed extends Calls, const Besides extends Calls = Record<never, PageCall>>(
    { c, account, session }: StaffVisit,
    needed: Needed,
    besides?: Besides,
  ): Promise<Answers<Needed> & Partial<Answers<Besides>>> => {
    const isCounted = c.get("waiting") === undefined && Object.values(needed).every(changesNothing);
    // A page's own list of what waits is asked for in the place of the one that counts it.
    const shown = Object.entries({ ...(isCounted ? countingCalls : {}), ...besides });
    const calls = [...Object.entries(needed), ...shown.filter(([, call]) => reaches({ session }, call))];
    const token = { account, claims: claimsOf({ account, session }), isSession: true } as const;
    const answered = await askAs(
      plain(c),
      token,
      calls.map(([, call]) => call),
    );
    const named = Object.fromEntries(calls.map(([name], index) => [name, answered[index]]));
    if (isCounted) c.set("waiting", countWaiting(named));
    return named as never;
  };
  return Object.assign(ask, {
    /** Whether the member's role may call an operation. */
    reaches: (visit: Pick<StaffVisit, "session">, id: string) => reaches(visit, { id }),
    operationOf: (id: string) => byId.get(id),
  });
}

/** The operations that need the role OWNER besides their scope (requireOwner). */
const ofOwners = new Set(["listApiKeys", "createApiKey", "deleteApiKey"]);

type Answers<Of extends Calls> = { [Name in keyof Of]: AnswerTo<AnswerSchemas, Of[Name]> };

/** The schema of each operation's answer that pages call. */
type AnswerSchemas = {
  addLine: typeof SubscriptionData;
  applyDiscount: typeof SubscriptionData;
  cancelOrder: typeof OrderData;
  cancelSubscription: typeof SubscriptionData;
  changeDeliveryAddress: typeof SubscriptionData;
  changeDeliveryInstructions: typeof InstructionsChanged;
  changeFrequency: typeof SubscriptionData;
  changeLine: typeof SubscriptionData;
  changePaymentMethod: typeof PaymentMethodChanged;
  changeManySubscriptions: typeof JobData;
  createImport: typeof JobData;
  createDeliveryAddress: typeof AddressData;
  createPortalSession: typeof SessionLink;
  deleteDeliveryAddress: typeof AddressData;
  explainSubscription: typeof SubscriptionExplanation;
  forecastGoods: typeof GoodsForecast;
  getJob: typeof JobData;
  fulfillOrder: typeof OrderData;
  getOrder: typeof OrderData;
  getProfile: typeof ProfileData;
  getRetention: typeof Retention;
  getSubscription: typeof SubscriptionData;
  getSubscriptionPaymentMethods: typeof PaymentMethods;
  listActivityLogs: typeof ActivityFeed;
  listAllBillingAttempts: typeof BillingAttemptList;
  listAllDunningEpisodes: typeof AccountEpisodeList;
  listBillingAttempts: typeof BillingAttemptList;
  listDeclarations: typeof DeclarationList;
  listCancellationReasons: typeof ReasonList;
  listDeliveryAddresses: typeof AddressList;
  listDeliveryDays: typeof DeliveryDayList;
  listDeliverySlots: typeof DeliverySlotList;
  listJobRows: typeof JobRowList;
  listJobs: typeof JobList;
  listMails: typeof MailList;
  listOrderRefunds: typeof OrderRefundList;
  listOrders: typeof OrderList;
  listPauseReasons: typeof ReasonList;
  listProfileActivity: typeof ActivityFeed;
  listProfiles: typeof ProfileList;
  listSellingPlans: typeof SellingPlanList;
  listSkipReasons: typeof ReasonList;
  listSubscriptions: typeof SubscriptionList;
  listUpcomingDeliveries: typeof Upcoming;
  listWebhookEndpoints: typeof EndpointList;
  pauseSubscription: typeof SubscriptionData;
  reactivateSubscription: typeof SubscriptionData;
  refundOrder: typeof OrderRefundData;
  removeDiscount: typeof SubscriptionData;
  removeLine: typeof SubscriptionData;
  reschedule: typeof Rescheduled;
  resumeBilling: typeof SubscriptionData;
  resumeSubscription: typeof SubscriptionData;
  resendMail: undefined;
  retryPayment: typeof BillingStarted;
  shipNow: typeof BillingStarted;
  skipDeliveries: typeof SubscriptionData;
  undoChange: typeof SubscriptionData;
  unskipSubscription: typeof SubscriptionData;
  updateDeliveryAddress: typeof AddressChanged;
  updateProfile: typeof ProfileData;
  putImportPart: typeof JobData;
  startJob: typeof JobData;
};

export type AskAsStaff = ReturnType<typeof makeAsk>;
export type PageOperation = keyof AnswerSchemas;
export type PageCall<Id extends PageOperation = PageOperation> = Call<Id>;
export type PageAnswer<Id extends PageOperation> = AnswerTo<AnswerSchemas, { id: Id }>;

/** Throws FORBIDDEN where the member's role may not call an operation. */
export function requireReach(
  visit: Pick<StaffVisit, "session">,
  ask: Pick<AskAsStaff, "reaches">,
  id: string,
): void {
  if (ask.reaches(visit, id)) return;
  throw new DomainError("FORBIDDEN", `The role ${visit.session.role} may not do this`);
}

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
