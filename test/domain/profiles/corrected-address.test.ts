/** A corrected address changes its subscriptions where that is asked for and allowed. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { actionsOf, done, openShop, read, type Shop, subscribe } from "../../support/shops.ts";

const saved = {
  address1: "5 Saved St",
  city: "Bronx",
  zip: "10451",
  country_code: "US",
  province: "New York",
};

/** Two subscriptions of a customer that deliver to a saved address, one that does not, and one that has ended. */
async function delivered() {
  const shop = await openShop();
  const path = "/api/portal/me/addresses";
  await api(shop.admin, "PUT", "/api/account/portal", { body: { is_enabled: true } });
  const made = await api(shop.customer, "POST", path, { body: saved });
  const delivery_address_id = made.body.data.id;
  const given = [await subscribe(shop, { delivery_address_id }), await subscribe(shop)];
  await done(shop.api, "PUT", given[1]!, "delivery-address", { delivery_address_id });
  const ended = await subscribe(shop, { delivery_address_id });
  await done(shop.api, "POST", ended, "cancel", {});
  return {
    shop,
    path: `${path}/${delivery_address_id}`,
    id: delivery_address_id,
    given,
    ended,
    other: await subscribe(shop),
  };
}

function streetsOf(shop: Shop, ids: string[]) {
  return Promise.all(ids.map(async (id) => (await read(shop, id)).delivery_address.address1));
}

test("a corrected address changes its subscriptions where that is asked for, with an entry each", async () => {
  const { shop, path, given, ended, other } = await delivered();
  const body = { address1: "7 Corrected Ave" };
  const alone = await api(shop.customer, "PUT", path, { body });
  expect([alone.status, Object.keys(alone.body)]).toEqual([200, ["data"]]);
  expect(await streetsOf(shop, given)).toEqual(["5 Saved St", "5 Saved St"]);
  await api(shop.customer, "PUT", path, { body: { address1: "5 Saved St" } });

  const { status, body: answer } = await api(shop.customer, "PUT", path, {
    body: { ...body, update_subscriptions: true },
  });
  expect([status, answer.data.address1]).toEqual([200, "7 Corrected Ave"]);
  expect(answer.subscription_ids.toSorted()).toEqual(given.toSorted());
  expect(await streetsOf(shop, [...given, ended, other])).toEqual([
    ...["7 Corrected Ave", "7 Corrected Ave", "5 Saved St", "1 High Street"],
  ]);
  expect((await actionsOf(given[0]!)).at(-1)).toBe("delivery_address_changed");
});

test("staff do so for a customer, and a shop whose customers may not change addresses refuses them all of it", async () => {
  const { shop, path, id, given } = await delivered();
  const body = { city: "Queens", update_subscriptions: true };
  await api(shop.admin, "PUT", "/api/account/portal", { body: { can_change_address: false } });
  const refused = await api(shop.customer, "PUT", path, { body });
  expect([refused.status, refused.body.errorCode]).toEqual([403, "FORBIDDEN"]);
  const own = await api(shop.customer, "GET", "/api/portal/me/addresses");
  expect(own.body.data[0].city).toBe("Bronx");
  const by = await api(shop.admin, "PUT", `/api/profiles/${shop.profileId}/addresses/${id}`, { body });
  expect([by.status, by.body.subscription_ids.length]).toEqual([200, 2]);
  expect((await read(shop, given[1]!)).delivery_address).toMatchObject({
    city: "Queens",
    province_code: "NY",
  });
});
