import type { Context } from "hono";
import { portalOriginOf } from "../../../base/accounts/portal-address.ts";
import { portalSettingsOf } from "../../../base/accounts/portal-settings.ts";
import { notFound } from "../../../base/errors.ts";
import { preferredLocale } from "../../../base/language/preferred-locale.ts";
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
import { redirectToOrigin } from "../../../kit/http/public-address.ts";
import { type AnswerTo, type Call, makeAskAs } from "../../pages/ask.ts";
import { openShop, type SessionCookie, sessionSeconds } from "../../pages/shop-visit.ts";
import { ShopData } from "../schemas.ts";
import { type PageEnv, plain, type Visit } from "./page-env.ts";
import { textsOf } from "./texts/index.ts";

const daySeconds = 24 * 3_600;

export type SignedIn = Visit & { session: OpenSession };

/** It outlives its session by a day, so that a form which is sent too late is known to be its customer's (return-path.ts). */
export const sessionCookie: SessionCookie = {
  name: "__Host-perennial",
  sameSite: "Lax",
  maxAge: sessionSeconds + daySeconds,
};

/** The pages of leaving, which nobody can switch off, and their colours. */
function isAlwaysThere(c: Context<PageEnv>): boolean {
  return /^\/portal\/[^/]+\/(leave|withdraw)(\/|$)|\/theme\.css$/.test(c.req.path);
}

/**
 * The visit of a request, opened in one trip; or the answer of the shop's object; or where the page is, if it was asked for under another host
 * than the portal's. Throws NOT_FOUND where the shop has no portal.
 */
export async function openVisit(c: Context<PageEnv>): Promise<Visit | Response> {
  const env = c.get("env");
  const opened = await openShop(plain(c), {
    cookie: sessionCookie,
    find: (db, by) => findSession({ db, env }, by),
  });
  if (opened instanceof Response) return opened;
  const { account, shop, session } = opened;
  const settings = portalSettingsOf(account);
  if (!settings.is_enabled && !isAlwaysThere(c)) throw notFound("Shop");
  const elsewhere = redirectToOrigin(plain(c), portalOriginOf({ env, account }));
  if (elsewhere) return elsewhere;
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
    ...(session.on_behalf_of === null ? {} : { stand_in: standInOf(session) }),
    scopes: null,
    expires_at_ms: Date.parse(session.expires_at),
  };
}

function standInOf({ stand_in: name, stand_in_role: role }: SignedIn["session"]) {
  return { name, ...(role === null ? {} : { role }) };
}
