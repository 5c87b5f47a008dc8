/** A text of a customer has a bounded length wherever it is given, and the merchant's may be longer. */
import { beforeEach, describe, expect, test } from "vitest";
import { begin, fileOf, outcomesOf, putPart, rowOf, start } from "../../domain/imports/imports.ts";
import { api, type Caller } from "../../support/client.ts";
import { type Json, on, openShop, refusal, type Shop, subscribe } from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { switchOn } from "./visitor.ts";

const worker = useWorker();
const own = "/api/portal/me/addresses";
const home = { address1: "12 Elm Street", city: "Brooklyn", zip: "11201", country_code: "US" };

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
});

describe("a part of an address has at most 255 characters, a postal code 40", () => {
  const parts = ["address1", "address2", "city", "province", "province_code", "first_name", "last_name"];
  const bounds = [...parts, "company", "phone"].map((name): [string, number] => [name, 255]);

  test.each([...bounds, ["zip", 40]] as [string, number][])("%s: %i", async (name, most) => {
    const id = await subscribe(shop);
    const [fits, tooLong] = ["語".repeat(most), "語".repeat(most + 1)];
    const { id: addressId } = (await api<Json>(shop.customer, "POST", own, { body: home })).body.data;
    const requests: [Caller, "POST" | "PUT", string, object][] = [
      [shop.customer, "POST", own, home],
      [shop.customer, "PUT", `${own}/${addressId}`, {}],
      [shop.admin, "POST", `/api/profiles/${shop.profileId}/addresses`, home],
      [shop.admin, "PUT", `/api/profiles/${shop.profileId}/addresses/${addressId}`, {}],
      [shop.customer, "PUT", on(id, "delivery-address"), home],
      [shop.api, "PUT", on(id, "delivery-address"), home],
    ];
    for (const [as, method, path, body] of requests) {
      const refused = await api<Json>(as, method, path, { body: { ...body, [name]: tooLong } });
      expect([...refusal(refused), refused.body.details[0].path], path).toEqual([
        400,
        "VALIDATION_FAILED",
        name,
      ]);
      const taken = await api(as, method, path, { body: { ...body, [name]: fits } });
      expect([200, 201], `${path} ${taken.text}`).toContain(taken.status);
    }
  });

  test.each([
    ["address1", 255],
    ["address2", 255],
    ["city", 255],
    ["region", 255],
    ["postal_code", 40],
  ])("of a profile, in JSON and in CSV: %s", async (name, most) => {
    const ask = (length: number) => {
      const value = "x".repeat(length);
      const email = `${name}-${length}@example.com`;
      return Promise.all([
        api(shop.admin, "POST", "/api/profiles", { body: { email, [name]: value } }),
        api(shop.admin, "PUT", `/api/profiles/${shop.profileId}`, { body: { [name]: value } }),
        api(shop.admin, "POST", "/api/profiles/bulk-upload", {
          raw: `email,${name}\ncsv-${email},${value}`,
          headers: { "Content-Type": "text/csv" },
        }),
      ]);
    };
    expect((await ask(most)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask(most + 1)).map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test("in a file that is moved in", async () => {
    const row = (ref: string, more: object) => rowOf(shop, ref, { ...fileAddress, ...more });
    const fileAddress = {
      address1: "12 Elm Street",
      city: "Brooklyn",
      postal_code: "11201",
      country_code: "US",
    };
    const id = await begin(shop);
    const rows = [
      row("fits", { city: "x".repeat(255), postal_code: "x".repeat(40) }),
      row("city", { city: "x".repeat(256) }),
      row("code", { postal_code: "x".repeat(41) }),
    ];
    expect((await putPart(shop, id, fileOf(rows))).status).toBe(200);
    await start(shop, worker, id, false);
    expect(await outcomesOf(shop, id)).toEqual({
      fits: "PENDING",
      city: ["FAILED", "city must have at most 255 characters"],
      code: ["FAILED", "postal_code must have at most 40 characters"],
    });
  });

  test.each(["first_name", "last_name", "phone_number"])("nor does a customer say more: %s", async (name) => {
    const ask = (length: number) =>
      api(shop.customer, "PUT", "/api/portal/me", { body: { [name]: "x".repeat(length) } });
    expect([(await ask(255)).status, (await ask(256)).status]).toEqual([200, 400]);
  });
});

describe("delivery instructions have at most 1,000 characters from a customer", () => {
  test.each([{}, { update_all_active: true }])("and 10,000 bytes from the merchant: %j", async (more) => {
    const id = await subscribe(shop);
    const ask = (as: Caller, length: number, query = {}) =>
      api<Json>(as, "PUT", on(id, "delivery-instructions"), {
        body: { delivery_instructions: "語".repeat(length), ...more },
        query,
      });
    expect((await ask(shop.customer, 1_000)).status).toBe(200);
    for (const query of [{}, { dry_run: true }]) {
      const refused = await ask(shop.customer, 1_001, query);
      expect([...refusal(refused), refused.body.details]).toEqual([
        400,
        "VALIDATION_FAILED",
        [{ path: "delivery_instructions", message: "must have at most 1,000 characters" }],
      ]);
    }
    for (const as of [shop.admin, shop.api]) expect((await ask(as, 3_333)).status).toBe(200);
  });
});
