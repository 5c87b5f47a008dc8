/** A customer reaches the operations that are meant for customers, on their own subscriptions alone. */
import { beforeAll, describe, expect, test } from "vitest";
import { allOperations } from "../../../src/runtime/operations.ts";
import { api, type Caller } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  aContract,
  addSlot,
  customerOf,
  done,
  force,
  inDays,
  inState,
  type Json,
  on,
  openShop,
  read,
  refusal,
  type State,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useAccount } from "../../support/use-account.ts";
import { openWithOffer } from "../cancellation/leaving.ts";
import { operationsOfCustomers, path } from "./customers.setup.ts";

const declared = await allOperations();

const account = useAccount();
let otherCustomer: Awaited<ReturnType<typeof customerOf>>;
let slot: string;
/** That of the customer's change which is undone. */
let entry: string | null;
beforeAll(async () => {
  otherCustomer = await customerOf(account.of);
  slot = await addSlot(account, { day_of_week: 4 });
});

test("the table lists every operation on subscriptions, and says which ones customers may call", () => {
  const listed = new Set(operationsOfCustomers.map(([id]) => id));
  for (const { id, path } of declared)
    if (/^\/api\/subscriptions(\/\{id\}.*)?$/.test(path)) expect(listed).toContain(id);
  const actual = new Map(declared.map((operation) => [operation.id, operation.customers ?? false]));
  for (const [id, , isAllowed] of operationsOfCustomers)
    expect([id, actual.get(id)]).toEqual([id, isAllowed]);
  const others = declared.filter(
    ({ id, customers, credentials }) => customers && credentials !== "customer" && !listed.has(id),
  );
  expect(others.map(({ id }) => id)).toEqual([]);
});

describe.each(operationsOfCustomers)(
  "%s %s (allowed to customers: %s)",
  (operation, request, isAllowed, body) => {
    const [method = "", template = ""] = request.split(" ");
    const call = async (as: Caller, id: string) => {
      const parts = { id, profile: account.profileId, ...(await partsOf(id)) } as Record<string, string>;
      const to = template.replaceAll(/\{(\w+)\}/g, (_, name) => parts[name]!);
      return api<Json>(as, method, to, body ? { body: body({ ...account, slot, entry }) } : {});
    };

    test(
      isAllowed ? "succeeds for the customer" : "is 403 for the customer, and changes nothing",
      async () => {
        const id = await createFor(operation);
        const before = await rowsOf(account.of.account.id);
        const both = { credentials: { ...account.of.credentials, ...account.customer.credentials } };
        if (isAllowed) {
          expect((await call(account.customer, id)).status).toBe(
            operation === "openCancellation" ? 201 : 200,
          );
          return;
        }
        expect(refusal(await call(both, id))).toEqual([403, "FORBIDDEN"]);
        const alone = await call(account.customer, id);
        expect([401, 403]).toContain(alone.status);
        expect(await rowsOf(account.of.account.id)).toBe(before);
      },
    );

    if (isAllowed && template.includes("{id}"))
      test("is 404 for the subscription of another customer, and changes nothing", async () => {
        const id = await createFor(operation);
        const before = await rowsOf(account.of.account.id);
        const alone = await call(otherCustomer.customer, id);
        expect(refusal(alone)).toEqual([404, "NOT_FOUND"]);
        const both = { credentials: { ...account.of.credentials, ...otherCustomer.customer.credentials } };
        expect(refusal(await call(both, id))).toEqual([404, "NOT_FOUND"]);
        expect(await rowsOf(account.of.account.id)).toBe(before);
      });
  },
);

/** A subscription in a state in which the operation succeeds. */
async function createFor(operation: string): Promise<string> {
  if (operation === "resumeSubscription") return inState(account, "PAUSED");
  if (operation === "reactivateSubscription") return inState(account, "CANCELLED");
  const id = await subscribe(account);
  if (operation === "unskipSubscription") await done(account.api, "POST", id, "skip", { skip_weeks: 1 });
  if (operation === "undoChange") {
    const body = { delivery_instructions: "Ring" };
    const { headers } = await api(account.customer, "PUT", on(id, "delivery-instructions"), { body });
    entry = headers.get("Entry-Id");
  }
  if (/shipNow|retryPayment|BillingAttempt/.test(operation))
    await force(id, { store_contract_id: aContract() });
  if (operation === "retryPayment") await force(id, { status: "PAYMENT_FAILED" });
  if (/Cancellation/.test(operation) && operation !== "openCancellation") await openWithOffer(account, id);
  if (operation.includes("BillingAttempt")) await api(account.api, "POST", on(id, "ship-now"));
  return id;
}

/** The other ids in the paths. */
async function partsOf(id: string) {
  return {
    line: (await read(account, id)).lines[0].id,
    attempt: (
      await select<{ id: string }>("SELECT id FROM billing_attempts WHERE subscription_id = ?", id)
    )[0]?.id,
    case: (await select<{ id: string }>("SELECT id FROM cancellation_cases WHERE subscription_id = ?", id))[0]
      ?.id,
  };
}

describe("the list of subscriptions", () => {
  const listed = async (as: Caller, query: Record<string, string> = {}) => {
    const { body, status } = await api<Json>(as, "GET", path, { query: { limit: "100", ...query } });
    expect(status).toBe(200);
    expect(body.meta.total).toBe(body.data.length);
    return body.data.map(({ id }: Json) => id).toSorted();
  };

  test("shows a customer only their subscriptions, in every state", async () => {
    const shop = await openShop();
    const friend = await customerOf(shop.of);
    const all: State[] = ["ACTIVE", "DUNNING", "PAUSED", "PAYMENT_FAILED", "CANCELLED", "EXPIRED"];
    const ids: string[] = [];
    for (const state of all) ids.push(await inState(shop, state));
    const friendsId = await subscribe(shop, { profile_id: friend.profileId });
    expect(await listed(shop.api)).toEqual([...ids, friendsId].toSorted());
    expect(await listed(shop.customer)).toEqual(ids.toSorted());
    expect(await listed(friend.customer)).toEqual([friendsId]);
    for (const id of ids) expect((await api(shop.customer, "GET", on(id))).status).toBe(200);

    expect(await listed(shop.customer, { profile_id: shop.profileId })).toEqual(ids.toSorted());
    expect(await listed(shop.customer, { profile_id: friend.profileId })).toEqual([]);
    expect(await listed(shop.customer, { status: "ACTIVE" })).toHaveLength(2);
    expect(await listed(shop.customer, { failed_payment: "true" })).toHaveLength(2);
    const { number } = await read(shop, friendsId);
    expect(await listed(shop.customer, { search: number })).toEqual([]);
    expect(await listed(friend.customer, { search: number })).toEqual([friendsId]);
    expect(await listed(friend.customer, { next_delivery_after: inDays(0) })).toEqual([friendsId]);
  });

  test("a customer of another account sees none of these subscriptions, even with this profile id", async () => {
    const otherAccount = await openShop();
    expect(await listed(otherAccount.customer, { profile_id: account.profileId })).toEqual([]);
    const id = await subscribe(account);
    expect((await api(otherAccount.customer, "GET", on(id))).status).toBe(404);
  });
});
