/** A payment method is read for its customer alone, whoever else has one of its name. */
import { beforeAll, expect, test } from "vitest";
import { newId } from "../../src/base/lib/ids.ts";
import { execute } from "../support/database.ts";
import { inDays, itemOf } from "../support/shops.ts";
import { measured } from "../support/slow-database.ts";
import { linked, openWorker, useShop } from "../support/worker.ts";

/** Any customer of the sandbox store may have a test card, under one id. */
const others = 400;

const { shop } = useShop();
const { DB, reads } = measured();
const worker = openWorker({ DB });
let subscription: string;

beforeAll(async () => {
  subscription = await linked(shop, worker);
  const given = JSON.stringify(Array.from({ length: others }, newId));
  const at = new Date().toISOString();
  await execute(
    `INSERT INTO profiles (id, account_seq, revision, email, email_folded, search_identity, search_other, created_at, updated_at)
      SELECT value, (SELECT seq FROM accounts WHERE id = ?), 1, value || '@x.test', value || '@x.test', value, '', ?, ? FROM json_each(?)`,
    shop.of.account.id,
    at,
    at,
    given,
  );
  await execute(
    `INSERT INTO payment_methods (id, account_seq, profile_id, store_payment_method_id, is_default, status, created_at, updated_at)
      SELECT value, (SELECT seq FROM accounts WHERE id = ?), value, 'pm_success', 1, 'VALID', ?, ? FROM json_each(?)`,
    shop.of.account.id,
    at,
    at,
    given,
  );
});

const bodies = {
  "/api/subscriptions": () => ({
    profile_id: shop.profileId,
    store_payment_method_id: "pm_success",
    next_delivery_date: inDays(7),
    lines: [itemOf(shop.plan)],
  }),
  "/api/subscriptions/{id}/payment-method": () => ({ store_payment_method_id: "pm_success" }),
};

test.each([
  ["POST", "/api/subscriptions", 201],
  ["PUT", "/api/subscriptions/{id}/payment-method", 200],
] as const)(
  "%s %s reads the card of its customer alone, whoever else has one of its name",
  async (method, path, expected) => {
    reads.length = 0;
    const { status } = await worker.call(shop.api, method, path.replace("{id}", subscription), {
      body: bodies[path](),
    });
    expect(status).toBe(expected);
    const most = reads.toSorted((one, other) => other.rows - one.rows)[0];
    expect(most?.rows, most?.sql).toBeLessThanOrEqual(20);
  },
);
