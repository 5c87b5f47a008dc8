import { env } from "cloudflare:workers";
import { type Column, getTableColumns } from "drizzle-orm";
import { expect, vi } from "vitest";
import { insertRows } from "../../src/base/db/bulk.ts";
import { commit } from "../../src/base/db/commit.ts";
import type { Row, Value } from "../../src/base/db/port.ts";
import { eventTypeOf } from "../../src/base/event-types.ts";
import { newId } from "../../src/base/lib/ids.ts";
import { searchTextOf } from "../../src/base/lib/text.ts";
import type { BillingAttempt } from "../../src/domain/billing/tables.ts";
import type { deliveryDays, deliverySlots } from "../../src/domain/delivery/tables.ts";
import type { entities } from "../../src/domain/entities/tables.ts";
import type { Order } from "../../src/domain/orders/tables.ts";
import type { Profile } from "../../src/domain/profiles/tables.ts";
import { type Subscription, subscriptions } from "../../src/domain/subscriptions/tables.ts";
import type { ActivityLog } from "../../src/kit/journal/tables.ts";
import { type Answer, api, type Caller, type RequestOptions } from "./client.ts";
import { type Given, testDb } from "./database.ts";
import { openTenant, profileRow, staff, type Tenant } from "./tenant.ts";

/** fast-check's seed and runs: the same each time, unless FUZZ_SEED says otherwise; it names the seed where it fails. */
export function seeded(numRuns: number) {
  return { seed: Number(env.FUZZ_SEED), numRuns, endOnFailure: false };
}

/** A merchant, and a member of its staff, who may call everything. */
export type Merchant = { of: Tenant; admin: Caller };

export async function openMerchant(options: Parameters<typeof openTenant>[0] = {}): Promise<Merchant> {
  const of = await openTenant(options);
  return { of, admin: await staff(of, "Ada Admin") };
}

/**
 * Puts rows into a table, however many, whatever the API would say of them. Rows may name different columns. Entries of the history get
 * their place in the stream unless they have it.
 */
export async function put(into: string, rows: object[]): Promise<void> {
  const isNumbered = rows.some((row) => "sequence" in row);
  const table = into === "activity_logs" ? (isNumbered ? "placed_entries" : "new_entries") : into;
  const columns = Object.fromEntries(rows.flatMap((row) => Object.keys(row).map((name) => [name, null])));
  const whole = rows.map((row) => ({ ...columns, ...row }) as Record<string, Value>);
  const statements = insertRows(table, whole).map((each) => ({ ...each, sql: byAccount(each.sql, columns) }));
  if (statements.length > 0) await commit({ db: testDb() }, statements);
}

/** Rows name their account by its id, the table by its number. */
function byAccount(sql: string, columns: object): string {
  const at = Object.keys(columns).indexOf("account_id");
  if (at < 0) return sql;
  return sql
    .replace("account_id", "account_seq")
    .replace(new RegExp(`value ->> ${at}(?!\\d)`), `(SELECT seq FROM accounts WHERE id = value ->> ${at})`);
}

export function profileOf(of: Tenant, values: Partial<ProfileValues> = {}): ProfileValues {
  return { ...profileRow(of, { ...stamps, ...values }) } as ProfileValues;
}

export function entityOf(of: Tenant, profile_id: string, values: Partial<EntityRow> = {}): EntityRow {
  return {
    id: newId(),
    account_id: of.account.id,
    profile_id,
    entity_type: "dog",
    name: "Biscuit",
    is_active: 1,
    image_url: null,
    wizard_id: null,
    attributes: "{}",
    deleted_at: null,
    ...stamps,
    ...values,
  };
}

/** A subscription as other records see it: its dates and amounts are nobody's here. */
export function subscriptionOf(
  of: Tenant,
  profile_id: string,
  values: Partial<SubscriptionRow> = {},
): SubscriptionRow {
  const columns = Object.entries(getTableColumns(subscriptions)).filter(
    ([name]) => !["seq", "account_seq"].includes(name),
  );
  return {
    ...Object.fromEntries(columns.map(([name, column]) => [name, anything(column)])),
    id: newId(),
    account_id: of.account.id,
    number: ++lastNumber,
    profile_id,
    status: "ACTIVE",
    currency_code: of.account.currency_code,
    billing_interval: "WEEK",
    delivery_interval: "WEEK",
    anchor_date: "2026-01-01",
    lines: "[]",
    discounts: "[]",
    open_attempt_id: null,
    ...stamps,
    ...values,
  } as SubscriptionRow;
}

/** An order as billing or the store would have recorded it, its search text with it. */
export function orderOf(of: Tenant, values: Partial<OrderRow> = {}): OrderRow {
  const id = values.id ?? newId();
  const order = {
    id,
    account_id: of.account.id,
    revision: 1,
    status: "PAID",
    fulfillment_status: "UNFULFILLED",
    return_status: null,
    order_type: "SUBSCRIPTION",
    is_checkout_order: 0,
    has_subscription: 0,
    store_order_id: `store-${id}`,
    store_order_number: null,
    external_order_id: null,
    external_order_number: null,
    external_source: null,
    profile_id: null,
    delivery_slot_id: null,
    currency_code: of.account.currency_code,
    subtotal: 1000,
    discount_amount: 0,
    total: 1000,
    refunded_amount: 0,
    production_date: null,
    billing_date: null,
    delivery_date: null,
    order_created_at: null,
    tracking_number: null,
    tracking_company: null,
    tracking_url: null,
    billing_attempt_id: null,
    content_order_id: null,
    lines: null,
    delivery_address: null,
    delivery_instructions: null,
    is_prepaid: 0,
    prepaid_delivery: null,
    prepaid_deliveries: null,
    ...stamps,
    ...values,
  } as const;
  const { store_order_id, store_order_number, external_order_number, tracking_number } = order;
  return {
    ...order,
    search_text: searchTextOf([store_order_id, store_order_number, external_order_number, tracking_number]),
  };
}

export function linkOf(of: Tenant, order_id: string, subscription_id: string) {
  return {
    account_id: of.account.id,
    order_id,
    subscription_id,
  };
}

export function logOf(of: Tenant, values: Partial<LogRow> = {}): LogRow {
  return {
    id: newId(),
    account_id: of.account.id,
    action: "order_placed",
    description: null,
    changes: null,
    metadata: null,
    actor_type: "system",
    actor_name: null,
    loggable_type: "order",
    loggable_id: newId(),
    subscription_id: null,
    order_id: null,
    profile_id: null,
    created_at: stamps.created_at,
    type: eventTypeOf(values.action ?? "order_placed"),
    ...values,
  };
}

export function dayOf(of: Tenant): Given<typeof deliveryDays.$inferInsert> {
  return {
    id: newId(),
    account_id: of.account.id,
    day_of_week: 4,
    is_active: 1,
    ...stamps,
  };
}

export function slotOf(of: Tenant, delivery_day_id: string): Given<typeof deliverySlots.$inferInsert> {
  return {
    id: newId(),
    account_id: of.account.id,
    delivery_day_id,
    label: "Morning",
    start_time: "09:00",
    end_time: "12:00",
    is_all_day: 0,
    position: 2,
    is_active: 1,
    ...stamps,
  };
}

/** The use of the database by one request, as its log line tells. */
export async function usageOf(act: () => Promise<Answer>): Promise<Usage & { answer: Answer }> {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(String(line)));
  try {
    const answer = await act();
    const requests = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "request");
    return { answer, ...(requests.at(-1) as Usage) };
  } finally {
    spy.mockRestore();
  }
}

/** A list that must succeed. */
export async function listed(caller: Caller, path: string, query: RequestOptions["query"] = {}) {
  const answer = await api<Listed>(caller, "GET", path, { query });
  if (answer.status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${answer.text}`);
  return answer.body;
}

/** The ids a list shows, page by page by the addresses of the next pages until there is none, and by those of the previous pages back. */
export async function walk(caller: Caller, path: string, query: NonNullable<RequestOptions["query"]>) {
  const pages: Listed[] = [await listed(caller, path, query)];
  for (let next = pages[0]?.meta.next_page_url; next; next = pages.at(-1)?.meta.next_page_url)
    pages.push(await listed(caller, next));
  const back: Listed[] = [];
  for (let at = pages.at(-1)?.meta.previous_page_url; at; at = back[0]?.meta.previous_page_url)
    back.unshift(await listed(caller, at));
  const idsOf = (some: Listed[]) => some.flatMap(({ data }) => data.map(({ id }) => id as string));
  const walked = [...back, ...pages.slice(-1)];
  return { ids: idsOf(pages), back: idsOf(walked), total: pages[0]?.meta.total ?? 0, pages };
}

/** A total is exact, or a lower bound and says so. */
export function expectTotal(
  { total, total_is_estimate }: { total: number; total_is_estimate?: boolean },
  count: number,
  text: string,
): void {
  if (!total_is_estimate) expect(total, `total of ${text}`).toBe(count);
  expect(total, `total of ${text}`).toBeLessThanOrEqual(count);
}

/** Names of the fields that a 400 complains of. */
export function faults({ status, body }: Answer): unknown {
  const { errorCode, details = [] } = body as { errorCode: string; details?: { path: string }[] };
  return [status, errorCode, ...details.map(({ path }) => path)];
}

/** A billing attempt that is settled, or under review if `values` says so. */
export function attemptOf(
  of: Tenant,
  subscription_id: string,
  cycle: number,
  values: Partial<Given<BillingAttempt>> = {},
): Partial<Given<BillingAttempt>> {
  const id = newId();
  const status = values.status ?? "SUCCEEDED";
  const isSettled = ["SUCCEEDED", "FAILED", "CANCELLED"].includes(status);
  return {
    id,
    account_id: of.account.id,
    subscription_id,
    activation: 1,
    cycle,
    attempt_number: 1,
    origin: "RECURRING",
    status,
    store_key: id,
    amount: 1000,
    currency_code: "USD",
    snapshot: "{}",
    claims: 1,
    unanswered: 0,
    requested_at: stamps.created_at,
    is_refused: status === "CANCELLED" ? 1 : 0,
    settled_at: isSettled ? stamps.created_at : null,
    challenged_at: null,
    uncounted_claims: 0,
    is_switch: 0,
    noted_reference: null,
    ...stamps,
    ...values,
  };
}

const stamps = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-01T00:00:00.000Z" };

export type SubscriptionRow = Omit<Given<Subscription>, "seq">;
export type OrderRow = Omit<Given<Order>, "seq">;
export type EntityRow = Given<typeof entities.$inferSelect>;
export type LogRow = Omit<Given<ActivityLog>, "sequence" | "recorded_at">;
export type ProfileValues = Omit<Given<Profile>, "seq">;

let lastNumber = 1000;

/** The value of a column that a test does not care about. */
function anything({ notNull, dataType, default: preset }: Column): Value {
  return preset !== undefined ? (preset as Value) : !notNull ? null : dataType === "number" ? 1 : "";
}

export type Usage = {
  db_round_trips: number;
  db_statements: number;
  rows_read: number;
  rows_written: number;
};

type Listed = {
  data: Row[];
  meta: {
    total: number;
    total_is_estimate: boolean;
    is_partial: boolean;
    last_page: number;
    next_page_url: string | null;
    previous_page_url: string | null;
  };
};
