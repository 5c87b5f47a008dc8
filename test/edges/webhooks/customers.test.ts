/** A customer follows what changes at the store, and keeps what was changed here. */
import { describe, expect, test } from "vitest";
import { subscribed, useShop } from "../../stores/shopify/shop.ts";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { plain } from "../../support/fake-shopify/ids.ts";
import { type Json, read } from "../../support/shops.ts";
import { profile } from "../../support/tenant.ts";
import { expectAllDone, hookedShop, processAll, sendAccepted } from "./hooks.ts";

const shop = useShop(hookedShop);

function customerId() {
  return [...shop.store.customerIds()][0]!;
}

async function shown(id = shop.profileId): Promise<Json> {
  return (await api<Json>(shop.merchant.admin, "GET", `/api/profiles/${id}`)).body.data;
}

function change(body: Json) {
  return api(shop.merchant.admin, "PUT", `/api/profiles/${shop.profileId}`, { body });
}

async function edit(changes: Json): Promise<void> {
  shop.store.merchant.editCustomer(customerId(), changes);
  await processAll(shop);
}

function updates() {
  return select<Json>(
    "SELECT * FROM activity_logs WHERE profile_id = ? AND action = 'profile_updated' ORDER BY sequence",
    shop.profileId,
  );
}

describe("customers/update", () => {
  test("fills what is empty here the first time, and leaves what is not", async () => {
    await change({ first_name: "Ours" });
    await edit({ firstName: "Theirs", lastName: "Kay", phone: "+49 30 1" });
    expect(await shown()).toMatchObject({ first_name: "Ours", last_name: "Kay", phone_number: "+49 30 1" });
  });

  test("then follows what changes at the store, and nothing else", async () => {
    await edit({ firstName: "Ada", lastName: "Kay", phone: "+49 30 1" });
    await change({ first_name: "Adelaide" });
    await edit({ lastName: "King", email: "ada@new.test" });
    expect(await shown()).toMatchObject({
      first_name: "Adelaide",
      last_name: "King",
      email: "ada@new.test",
    });
    const fields = (await updates()).map(({ metadata }) => JSON.parse(metadata).fields);
    expect(fields.at(-1)).toEqual(["email", "last_name"]);
    const before = await updates();
    await edit({});
    expect(await updates()).toEqual(before);
  });

  test("an address that another profile has, or that is none, is left out", async () => {
    await edit({ lastName: "Kay" });
    const other = await profile(shop.merchant.of);
    const { email: taken } = await shown(other.id);
    const { email } = await shown();
    await edit({ email: taken, lastName: "King" });
    expect(await shown()).toMatchObject({ email, last_name: "King" });
    await edit({ email: "none" });
    expect((await shown()).email).toBe(email);
    await expectAllDone(shop);
  });

  test("what the store said of a customer is kept hashed", async () => {
    await edit({ lastName: "Kay-Unusual" });
    const [row] = await select<Json>("SELECT store_seen FROM profiles WHERE id = ?", shop.profileId);
    expect(row.store_seen).not.toContain("Kay");
    expect(Object.keys(JSON.parse(row.store_seen))).toEqual([
      "email",
      "first_name",
      "last_name",
      "phone_number",
    ]);
  });

  test("a customer without a profile is not asked for", async () => {
    const stranger = shop.store.addCustomer();
    const before = shop.store.requests.length;
    shop.store.merchant.editCustomer(stranger, { firstName: "No" });
    await processAll(shop);
    expect(shop.store.requests).toHaveLength(before);
  });
});

describe("customers/merge", () => {
  test("links the profile to the customer that remains, and its subscription goes on", async () => {
    const id = await subscribed(shop);
    const gone = customerId();
    const kept = shop.store.addCustomer({ email: "kept@customers.test" });
    shop.store.merchant.mergeCustomers(kept, gone);
    await processAll(shop);
    expect((await shown()).store_customer_id).toBe(plain(kept));
    expect((await read(shop.merchant, id)).store_sync_error).toBeNull();
    await expectAllDone(shop);
  });

  test("does nothing while the store has both, or does not have the one that would remain", async () => {
    const gone = customerId();
    const before = await shown();
    for (const kept of [shop.store.addCustomer(), "gid://shopify/Customer/1"]) {
      const payload = {
        admin_graphql_api_customer_kept_id: kept,
        admin_graphql_api_customer_deleted_id: gone,
        status: "completed",
      };
      await sendAccepted(shop, await shop.store.webhookOf("customers/merge", payload));
      await shop.worker.drain({ soon: false });
    }
    expect(await shown()).toEqual(before);
  });
});
