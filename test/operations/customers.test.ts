import { beforeAll, describe, expect, test } from "vitest";
import { operations as declared } from "../../src/operations.ts";
import { api, type Caller } from "../support/client.ts";
import { select } from "../support/database.ts";
import {
  aContract,
  addSlot,
  customerOf,
  done,
  force,
  inDays,
  inState,
  itemOf,
  type Json,
  life,
  nextDay,
  on,
  read,
  refusal,
  type State,
  subscribe,
} from "../support/lives.ts";
import { rowsOf } from "../support/snapshot.ts";
import { useAccount } from "../support/use-account.ts";

const own = useAccount();
let neighbour: Awaited<ReturnType<typeof customerOf>>;
let slot: string;
beforeAll(async () => {
  neighbour = await customerOf(own.of);
  slot = await addSlot(own, { day_of_week: 4 });
});

type Row = [id: string, request: string, isCustomers: boolean, body?: () => unknown];
const s = "/api/subscriptions";
const written = { address1: "2", city: "C", zip: "Z", country: "UK", country_code: "GB" };
const one = () => ({ label: "L" });

/** What a customer's token reaches under /api/subscriptions. {id} is its own subscription. */
const table: Row[] = [
  ["listSubscriptions", `GET ${s}`, true],
  ["createSubscriptions", `POST ${s}`, false, () => ({ profile_id: own.profileId })],
  ["getSubscription", `GET ${s}/{id}`, true],
  ["getSubscriptionPaymentMethods", `GET ${s}/{id}/payment-method`, true],
  ["listUpcomingDeliveries", `GET ${s}/{id}/upcoming`, true],
  ["listSkips", `GET ${s}/{id}/skips`, true],
  ["pauseSubscription", `POST ${s}/{id}/pause`, true],
  ["resumeSubscription", `POST ${s}/{id}/resume`, true],
  ["cancelSubscription", `POST ${s}/{id}/cancel`, true],
  ["reactivateSubscription", `POST ${s}/{id}/reactivate`, true],
  ["skipSubscription", `POST ${s}/{id}/skip`, true, () => ({ skip_weeks: 1 })],
  ["unskipSubscription", `POST ${s}/{id}/unskip`, true],
  ["changeFrequency", `PUT ${s}/{id}/frequency`, true, () => ({ interval: "DAY", interval_count: 3 })],
  [
    "changeDeliveryInstructions",
    `PUT ${s}/{id}/delivery-instructions`,
    true,
    () => ({ delivery_instructions: "Ring" }),
  ],
  [
    "reschedule",
    `PUT ${s}/{id}/schedule`,
    true,
    () => ({ next_delivery_date: nextDay(4, 14), delivery_slot_id: slot }),
  ],
  ["changeDeliveryAddress", `PUT ${s}/{id}/delivery-address`, true, () => written],
  [
    "changePaymentMethod",
    `PUT ${s}/{id}/payment-method`,
    true,
    () => ({ store_payment_method_id: "pm_pending" }),
  ],
  ["shipNow", `POST ${s}/{id}/ship-now`, true],
  ["retryPayment", `POST ${s}/{id}/retry-payment`, true],
  ["listBillingAttempts", `GET ${s}/{id}/billing-attempts`, true],
  ["getBillingAttempt", `GET ${s}/{id}/billing-attempts/{attempt}`, true],
  ["listDunningEpisodes", `GET ${s}/{id}/dunning-episodes`, true],
  ["addLine", `POST ${s}/{id}/lines`, false, () => itemOf(own.plan)],
  ["changeLine", `PUT ${s}/{id}/lines/{line}`, false, () => ({ quantity: 2 })],
  ["removeLine", `DELETE ${s}/{id}/lines/{line}`, false],
  ["applyDiscount", `POST ${s}/{id}/discounts`, false, () => ({})],
  ["removeDiscount", `DELETE ${s}/{id}/discounts/x`, false],
  ["listSkipReasons", `GET ${s}/skip-reasons`, true],
  ["listPauseReasons", `GET ${s}/pause-reasons`, true],
  ["listCancellationReasons", `GET ${s}/cancellation-reasons`, true],
  ["createSkipReason", `POST ${s}/skip-reasons`, false, one],
  ["createPauseReason", `POST ${s}/pause-reasons`, false, one],
  ["createCancellationReason", `POST ${s}/cancellation-reasons`, false, one],
  ["listDeliveryDays", `GET ${s}/delivery-days`, true],
  ["listDeliverySlots", `GET ${s}/delivery-slots`, true],
  ["createDeliveryDay", `POST ${s}/delivery-days`, false, () => ({ day_of_week: 4 })],
  ["createDeliverySlot", `POST ${s}/delivery-slots`, false, () => ({})],
  ["listSellingPlans", `GET ${s}/selling-plans`, false],
  ["createSellingPlan", `POST ${s}/selling-plans`, false, () => ({})],
  ["listEntities", `GET ${s}/entities`, false],
  ["listOrders", `GET ${s}/orders`, false],
  ["listProfiles", "GET /api/profiles", false],
  ["getProfile", "GET /api/profiles/{profile}", false],
  ["listActivityLogs", "GET /api/activity-logs", false],
];

test("the table tells of every operation on subscriptions, and of none that is not", () => {
  const told = new Set(table.map(([id]) => id));
  for (const { id, path } of declared)
    if (/^\/api\/subscriptions(\/\{id\}.*)?$/.test(path)) expect(told).toContain(id);
  const known = new Map(declared.map((operation) => [operation.id, operation.customers ?? false]));
  for (const [id, , isCustomers] of table) expect([id, known.get(id)]).toEqual([id, isCustomers]);
  const others = declared.filter(({ id, customers }) => customers && !told.has(id));
  expect(others.map(({ id }) => id)).toEqual([]);
});

const prepare = async (operation: string): Promise<string> => {
  if (operation === "resumeSubscription") return inState(own, "PAUSED");
  if (operation === "reactivateSubscription") return inState(own, "CANCELLED");
  const id = await subscribe(own);
  if (operation === "unskipSubscription") await done(own.api, "POST", id, "skip", { skip_weeks: 1 });
  if (/shipNow|retryPayment|BillingAttempt/.test(operation))
    await force(id, { store_contract_id: aContract() });
  if (operation === "retryPayment") await force(id, { status: "PAYMENT_FAILED" });
  if (operation.includes("BillingAttempt")) await api(own.api, "POST", on(id, "ship-now"));
  return id;
};

/** What stands in the path besides the subscription. */
const partsOf = async (id: string) => ({
  line: (await read(own, id)).lines[0].id,
  attempt: (await select<{ id: string }>("SELECT id FROM billing_attempts WHERE subscription_id = ?", id))[0]
    ?.id,
});

describe.each(table)("%s %s: a customer's %s", (operation, request, isCustomers, body) => {
  const [method = "", template = ""] = request.split(" ");
  const call = async (as: Caller, id: string) => {
    const parts = { id, profile: own.profileId, ...(await partsOf(id)) } as Record<string, string>;
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name) => parts[name]!);
    return api<Json>(as, method, path, body ? { body: body() } : {});
  };

  test(isCustomers ? "is done" : "is 403, and changes nothing", async () => {
    const id = await prepare(operation);
    const before = await rowsOf(own.of.account.id);
    const both = { credentials: { ...own.of.credentials, ...own.customer.credentials } };
    if (isCustomers) {
      expect((await call(own.customer, id)).status).toBe(200);
      return;
    }
    expect(refusal(await call(both, id))).toEqual([403, "FORBIDDEN"]);
    const alone = await call(own.customer, id);
    expect([401, 403]).toContain(alone.status);
    expect(await rowsOf(own.of.account.id)).toBe(before);
  });

  if (isCustomers && template.includes("{id}"))
    test("on another profile's is 404, and changes nothing", async () => {
      const id = await prepare(operation);
      const before = await rowsOf(own.of.account.id);
      const alone = await call(neighbour.customer, id);
      expect(refusal(alone)).toEqual([404, "NOT_FOUND"]);
      const both = { credentials: { ...own.of.credentials, ...neighbour.customer.credentials } };
      expect(refusal(await call(both, id))).toEqual([404, "NOT_FOUND"]);
      expect(await rowsOf(own.of.account.id)).toBe(before);
    });
});

describe("the list", () => {
  const listed = async (as: Caller, query: Record<string, string> = {}) => {
    const { body, status } = await api<Json>(as, "GET", s, { query: { limit: "100", ...query } });
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: Json) => id).toSorted();
  };

  test("is narrowed to its own, in whatever state", async () => {
    const shop = await life();
    const friend = await customerOf(shop.of);
    const all: State[] = ["ACTIVE", "DUNNING", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"];
    const mine: string[] = [];
    for (const state of all) mine.push(await inState(shop, state));
    const theirs = await subscribe(shop, { profile_id: friend.profileId });
    expect(await listed(shop.api)).toEqual([...mine, theirs].toSorted());
    expect(await listed(shop.customer)).toEqual(mine.toSorted());
    expect(await listed(friend.customer)).toEqual([theirs]);
    for (const id of mine) expect((await api(shop.customer, "GET", on(id))).status).toBe(200);

    expect(await listed(shop.customer, { profile_id: shop.profileId })).toEqual(mine.toSorted());
    expect(await listed(shop.customer, { profile_id: friend.profileId })).toEqual([]);
    expect(await listed(shop.customer, { status: "ACTIVE" })).toHaveLength(2);
    expect(await listed(shop.customer, { failed_payment: "true" })).toHaveLength(2);
    const { number } = await read(shop, theirs);
    expect(await listed(shop.customer, { search: number })).toEqual([]);
    expect(await listed(friend.customer, { search: number })).toEqual([theirs]);
    expect(await listed(friend.customer, { next_delivery_after: inDays(0) })).toEqual([theirs]);
  });

  test("a customer of another account sees nothing of ours under the same profile id", async () => {
    const abroad = await life();
    expect(await listed(abroad.customer, { profile_id: own.profileId })).toEqual([]);
    const id = await subscribe(own);
    expect((await api(abroad.customer, "GET", on(id))).status).toBe(404);
  });
});
