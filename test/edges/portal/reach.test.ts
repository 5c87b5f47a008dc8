/** A customer moves a date no further than the shop allows, however often they ask. */
// Whatever a customer does, the next delivery lies at most the longest pause and one delivery interval ahead.
import { beforeEach, expect, test } from "vitest";
import { api, type Caller } from "../../support/client.ts";
import {
  actionsOf,
  addSlot,
  inDays,
  inState,
  type Json,
  nextDay,
  on,
  read,
  refusal,
  rowOf,
  type State,
  subscribe,
} from "../../support/shops.ts";
import { useAccount } from "../../support/use-account.ts";

const shop = useAccount();
beforeEach(() => set({ max_pause_days: null, can_skip: true, can_reschedule: true }));

function set(body: object) {
  return api(shop.api, "PUT", "/api/account/portal", { body });
}

function ask(as: Caller, id: string, request: string, body: object) {
  const [method = "", part] = request.split(" ");
  return api<Json>(as, method, on(id, part), { body });
}

const dated: [State, string, string][] = [
  ["ACTIVE", "PUT schedule", "next_delivery_date"],
  ["PAUSED", "POST resume", "next_delivery_date"],
  ["CANCELLED", "POST reactivate", "next_delivery_date"],
  ["ACTIVE", "POST pause", "pause_until"],
];

test.each(dated.flatMap((verb) => [null, 30].map((days) => [...verb, days] as const)))(
  "of what is %s a customer's %s names in %s a day in reach (max_pause_days: %s)",
  async (state, request, field, days) => {
    await set({ max_pause_days: days });
    const id = await inState(shop, state);
    const last = (days ?? 365) + (field === "pause_until" ? 0 : 7);
    const before = await rowOf(id);
    const refused = await ask(shop.customer, id, request, { [field]: inDays(last + 1) });
    expect(refusal(refused)).toEqual([400, "VALIDATION_FAILED"]);
    expect(refused.body.details).toEqual([{ path: field, message: expect.stringContaining("must be") }]);
    expect(await rowOf(id)).toEqual(before);
    expect((await ask(shop.api, id, `${request}?dry_run=true`, { [field]: inDays(last + 1) })).status).toBe(
      200,
    );
    expect((await ask(shop.customer, id, request, { [field]: inDays(last) })).status).toBe(200);
  },
);

test.each([
  ["skip", "skip_weeks", 52],
  ["skip-deliveries", "count", 12],
])("a customer who asks for %s again and again reaches no further", async (verb, field, most) => {
  const id = await subscribe(shop);
  const reach = inDays(365 + 7);
  for (let skipped = most; ; ) {
    const { status, body } = await ask(shop.customer, id, `POST ${verb}`, { [field]: skipped });
    if (status === 200) continue;
    expect([status, body.details[0]]).toEqual([
      400,
      { path: field, message: `must leave the next delivery on ${reach} or earlier` },
    ]);
    if (skipped === 1) break;
    skipped = 1;
  }
  const { next_delivery_date } = await read(shop, id);
  expect(next_delivery_date <= reach).toBe(true);
  expect((await ask(shop.api, id, `POST ${verb}`, { [field]: 1 })).status).toBe(200);
});

test("a slot moves the delivery after the bound is asked", async () => {
  const slot = await addSlot(shop, { day_of_week: 3 });
  const id = await subscribe(shop);
  const far = { delivery_slot_id: slot, next_delivery_date: nextDay(3, 373) };
  expect(refusal(await ask(shop.customer, id, "PUT schedule", far))).toEqual([400, "VALIDATION_FAILED"]);
  expect(await actionsOf(id)).toEqual(["subscription_created"]);
});

test("a customer may bring nearer what the merchant has put far ahead, and undo that", async () => {
  const id = await subscribe(shop);
  expect((await ask(shop.api, id, "PUT schedule", { next_delivery_date: inDays(800) })).status).toBe(200);
  expect((await ask(shop.customer, id, "PUT schedule", { next_delivery_date: inDays(801) })).status).toBe(
    400,
  );
  await set({ max_pause_days: 20 });
  expect((await ask(shop.customer, id, "PUT schedule", { next_delivery_date: inDays(20) })).status).toBe(200);
  const feed = await api<Json>(shop.api, "GET", "/api/events", {
    query: { types: "subscription.delivery_rescheduled" },
  });
  const { id: entry_id } = feed.body.data.at(-1);
  expect((await ask(shop.customer, id, "POST undo", { entry_id })).status).toBe(200);
  expect((await read(shop, id)).next_delivery_date).toBe(inDays(800));
});
