import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { portalOriginOf } from "../../../base/accounts/portal-address.ts";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import { cachedElsewhere, findAccountByShop } from "../../../base/accounts/queries.ts";
import { normalizeShop } from "../../../base/accounts/shop.ts";
import type { Account } from "../../../base/accounts/tables.ts";
import { sideBySide } from "../../../base/db/wrapped/side-by-side.ts";
import { perEnv } from "../../../base/env.ts";
import { notFound } from "../../../base/errors.ts";
import { preferredLocale } from "../../../base/language/preferred-locale.ts";
import { hourMs } from "../../../base/lib/time/durations.ts";
import { ttlCache } from "../../../base/lib/ttl-cache.ts";
import {
  BillingAttemptData,
  BillingAttemptList,
  BillingStarted,
  PaymentMethodChanged,
} from "../../../domain/billing/schemas.ts";
import { Upcoming } from "../../../domain/billing/upcoming/upcoming-schemas.ts";
import { CaseData } from "../../../domain/cancellation/case-schemas.ts";
import { DeliverySlotList } from "../../../domain/delivery/schemas.ts";
import { DunningEpisodeList } from "../../../domain/dunning/schemas.ts";
import { OrderData, OrderList } from "../../../domain/orders/schemas.ts";
import { AddressChanged, AddressData, AddressList } from "../../../domain/profiles/address-schemas.ts";
import { ProfileData } from "../../../domain/profiles/schemas.ts";
import { ReasonList } from "../../../domain/reasons/schemas.ts";
import { findSession, type OpenSession } from "../../../domain/sessions/sessions.ts";
import { PaymentUpdateData } from "../../../domain/store-sync/payment-update-schemas.ts";
import { LineChoicesData } from "../../../domain/subscriptions/lines/own-line-schemas.ts";
import { PicturesData } from "../../../domain/subscriptions/lines/picture-schemas.ts";
import {
  InstructionsChanged,
  PaymentMethods,
  SubscriptionData,
  SubscriptionList,
} from "../../../domain/subscriptions/schemas.ts";
import type { AnyOperation } from "../../../kit/http/document/operation.ts";
import { forwardUnproven } from "../../../kit/http/forward.ts";
import { redirectToOrigin } from "../../../kit/http/public-address.ts";
import { countByAddress } from "../../../kit/http/rate-limit.ts";
import { type AnswerTo, type Call, makeAskAs } from "../../pages/ask.ts";
import { ShopData } from "../schemas.ts";
import { type PageEnv, plain, type Visit } from "./page-env.ts";
import { textsOf } from "./texts/index.ts";
export type SignedIn = Visit & { session: OpenSession };

/** It names its account, so that a portal of another shop does not take it for its own. */
export const sessionCookie = "__Host-perennial";

/** Signs the browser in: its session is a cookie of this host alone. */
export function keepSession(c: Context<PageEnv>, { id }: Pick<Account, "id">, secret: string): void {
  const options = {
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
    maxAge: sessionSeconds,
  } as const;
  setCookie(c, sessionCookie, `${id}.${secret}`, options);
}

const sessionSeconds = 12 * 3_600;

/**
 * The shop and the session of a request, in one trip; or the answer of the shop's object, which proves and counts sessions itself once
 * this isolate knows the shop; or where the page is, if it was asked for under another host than the portal's. Throws NOT_FOUND where the
 * shop has no portal.
 */
export async function openVisit(c: Context<PageEnv>): Promise<Visit | Response> {
  const shop = normalizeShop(c.req.param("shop") ?? "");
  const now = c.get("now");
  const forwarded = await forwardUnproven(plain(c), cachedElsewhere(c.get("db"), shop, now.getTime()));
  if (forwarded) return forwarded;
  const cookie = getCookie(c, sessionCookie) ?? "";
  const [accountId = "", secret = ""] = cookie.split(".");
  const seen = proven(c.get("env"));
  if (!seen.get(cookie, now.getTime())) await countByAddress(plain(c));
  const [account, found] = await sideBySide(c.get("db"), [
    (db) => findAccountByShop(db, shop, now.getTime()),
    async (db) =>
      secret === ""
        ? undefined
        : findSession({ db, env: c.get("env") }, { accountId, secret, now: now.toISOString() }),
  ] as const);
  if (!account) throw notFound("Shop");
  const answered = await forwardUnproven(plain(c), account);
  if (answered) return answered;
  const settings = portalSettingsOf(account);
  if (!settings.is_enabled) throw notFound("Shop");
  const elsewhere = redirectToOrigin(plain(c), portalOriginOf({ env: c.get("env"), account }));
  if (elsewhere) return elsewhere;
  const session = accountId === account.id ? found : undefined;
  if (session) seen.set(cookie, true, now.getTime());
  const locale = session?.locale ?? preferredLocale(c.req.header("accept-language"), settings.default_locale);
  return { c, account, settings, base: `/portal/${shop}`, locale, texts: textsOf(locale), session };
}

/** Makes the function with which pages call operations as the session's customer. */
export function makeAsk(operations: AnyOperation[]) {
  const askAs = makeAskAs<typeof answers>(operations);
  return <const Asks extends readonly OperationCall[]>(visit: SignedIn, ...asks: Asks) => {
    const token = { account: visit.account, claims: claimsOf(visit), isSession: true } as const;
    return askAs(plain(visit.c), token, asks);
  };
}

/** Sessions that this isolate has proven: their requests are counted by customer, all others by client address. */
const proven = perEnv(() => ttlCache<true>(hourMs, 10_000));

/** The schema of each operation's answer that pages call. */
const answers = {
  listSubscriptions: SubscriptionList,
  getSubscription: SubscriptionData,
  listUpcomingDeliveries: Upcoming,
  listBillingAttempts: BillingAttemptList,
  getBillingAttempt: BillingAttemptData,
  listDunningEpisodes: DunningEpisodeList,
  getSubscriptionPaymentMethods: PaymentMethods,
  listSkipReasons: ReasonList,
  listPauseReasons: ReasonList,
  listCancellationReasons: ReasonList,
  listDeliverySlots: DeliverySlotList,
  pauseSubscription: SubscriptionData,
  resumeSubscription: SubscriptionData,
  cancelSubscription: SubscriptionData,
  openCancellation: CaseData,
  acceptCancellationOffer: SubscriptionData,
  reactivateSubscription: SubscriptionData,
  skipDeliveries: SubscriptionData,
  unskipSubscription: SubscriptionData,
  undoChange: SubscriptionData,
  changeFrequency: SubscriptionData,
  changeDeliveryInstructions: InstructionsChanged,
  reschedule: SubscriptionData,
  changeDeliveryAddress: SubscriptionData,
  changePaymentMethod: PaymentMethodChanged,
  requestPaymentUpdate: PaymentUpdateData,
  shipNow: BillingStarted,
  retryPayment: BillingStarted,
  listOwnPictures: PicturesData,
  listLineChoices: LineChoicesData,
  addOwnLine: SubscriptionData,
  changeOwnLine: SubscriptionData,
  removeOwnLine: SubscriptionData,
  getOwnShop: ShopData,
  getOwnProfile: ProfileData,
  updateOwnProfile: ProfileData,
  listOwnAddresses: AddressList,
  createOwnAddress: AddressData,
  updateOwnAddress: AddressChanged,
  deleteOwnAddress: undefined,
  listOwnOrders: OrderList,
  getOwnOrder: OrderData,
} as const;
export type OperationId = keyof typeof answers;
export type OperationCall<Id extends OperationId = OperationId> = Call<Id>;
export type OperationAnswer<One extends OperationCall> = AnswerTo<typeof answers, One>;

export type AskOperations = ReturnType<typeof makeAsk>;

function claimsOf({ account, session }: SignedIn) {
  return {
    account_id: account.id,
    actor_type: "customer" as const,
    profile_id: session.profile_id,
    ...(session.name === null ? {} : { name: session.name.slice(0, 255) }),
    token_id: session.id,
    scopes: null,
    expires_at_ms: Date.parse(session.expires_at),
  };
}
