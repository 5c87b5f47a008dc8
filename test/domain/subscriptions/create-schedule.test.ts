/** A new subscription has the dates, slot and address that its request and its account lead to. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { faults } from "../../support/records.ts";
import { create, created, inDays, openSeller, placed, shown } from "../../support/subscriptions.ts";
import { useShop } from "../../support/use-account.ts";

type Body = Record<string, unknown>;

const shop = useShop();

describe("dates", () => {
  test.each([
    [
      "no slot",
      {},
      "2035-01-31",
      { next_billing_date: "2035-01-31", next_production_date: null, payment_day_of_week: 3 },
    ],
    [
      "a slot alone",
      { day_of_week: 3 },
      "2035-01-31",
      { next_billing_date: "2035-01-31", next_production_date: null, payment_day_of_week: 3 },
    ],
    [
      "a packing day",
      { day_of_week: 3, packing_day_of_week: 2, courier_lead_time_days: 1 },
      "2035-01-31",
      { next_billing_date: "2035-01-30", next_production_date: "2035-01-30", payment_day_of_week: 2 },
    ],
    [
      "packing and billing day",
      { day_of_week: 3, packing_day_of_week: 2, billing_day_of_week: 5, courier_lead_time_days: 2 },
      "2035-01-31",
      { next_billing_date: "2035-01-19", next_production_date: "2035-01-23", payment_day_of_week: 5 },
    ],
    [
      "a billing day alone",
      { day_of_week: 3, billing_day_of_week: 7 },
      "2035-01-31",
      { next_billing_date: "2035-01-28", next_production_date: null, payment_day_of_week: 7 },
    ],
  ] as [string, Body, string, Body][])("%s", async (_, day, next_delivery_date, expected) => {
    const slot = "day_of_week" in day ? { delivery_slot_id: (await placed(shop.admin, day)).slot } : {};
    const [id] = await created(shop, { next_delivery_date, ...slot });
    expect(await shown(shop.admin, id!)).toMatchObject({
      next_delivery_date,
      delivery_slot_valid: true,
      ...expected,
    });
  });

  test("no computed date lies before today", async () => {
    const soon = inDays(1);
    const weekday = new Date(`${soon}T00:00:00Z`).getUTCDay() || 7;
    const { slot } = await placed(shop.admin, {
      day_of_week: weekday,
      packing_day_of_week: weekday,
      courier_lead_time_days: 5,
    });
    const [id] = await created(shop, { next_delivery_date: soon, delivery_slot_id: slot });
    const { next_production_date, next_billing_date } = await shown(shop.admin, id!);
    expect([inDays(-1), inDays(0)]).toContain(next_production_date);
    expect(next_billing_date).toBe(next_production_date);
  });

  test.each(["Pacific/Kiritimati", "America/New_York", "Pacific/Pago_Pago"])(
    "today in %s may be, yesterday not",
    async (timezone) => {
      const seller = await openSeller({ timezone });
      const today = new Intl.DateTimeFormat("en-CA", { timeZone: timezone }).format();
      const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
      expect((await create(seller, { next_delivery_date: today })).status).toBe(201);
      expect(faults(await create(seller, { next_delivery_date: yesterday }))).toEqual([
        400,
        "VALIDATION_FAILED",
        "next_delivery_date",
      ]);
    },
  );

  test("a date-time's date is the account's", async () => {
    const seller = await openSeller({ timezone: "America/New_York" });
    const [id] = await created(seller, { next_delivery_date: "2035-02-01T04:59:59Z" });
    expect((await shown(seller.admin, id!)).next_delivery_date).toBe("2035-01-31");
  });
});

describe("where it goes", () => {
  const home = {
    address1: "1 Main St",
    city: "London",
    postal_code: "N1",
    country: "United Kingdom",
    country_code: "GB",
  };

  test("without an address of its own: the profile's", async () => {
    const seller = await openSeller(
      {},
      {
        ...home,
        address2: "Flat 2",
        region: "England",
        first_name: "Ada",
        last_name: "L",
        phone_number: "+44",
      },
    );
    const [id] = await created(seller);
    expect((await shown(seller.admin, id!)).delivery_address).toEqual({
      address1: "1 Main St",
      address2: "Flat 2",
      city: "London",
      zip: "N1",
      country: "United Kingdom",
      country_code: "GB",
      province: "England",
      first_name: "Ada",
      last_name: "L",
      phone: "+44",
    });
  });

  test("a profile that cannot be delivered to: null", async () => {
    const seller = await openSeller({}, { ...home, postal_code: null });
    const [id] = await created(seller);
    expect((await shown(seller.admin, id!)).delivery_address).toBeNull();
  });

  test.each([
    ["Germany", "DE"],
    ["Royaume-Uni", "GB"],
    ["us", "US"],
  ])("a country without its code, %s: the code is looked up", async (country, country_code) => {
    const seller = await openSeller({}, { ...home, country, country_code: null });
    const [id] = await created(seller);
    expect((await shown(seller.admin, id!)).delivery_address).toMatchObject({ country, country_code });
  });

  test("a country that nobody knows, without its code: 409, and a saved address helps", async () => {
    const seller = await openSeller({}, { ...home, country: "Atlantis", country_code: null });
    const { status, body } = await create(seller);
    expect([status, body.errorCode]).toEqual([409, "INVALID_STATE"]);
    expect(body.error).toContain("country");
    const { postal_code: zip, ...saved } = { ...home, country: "Austria", country_code: "AT" };
    const at = `/api/profiles/${seller.profileId}/addresses`;
    const address = (await api(seller.admin, "POST", at, { body: { ...saved, zip } })).body.data;
    const [id] = await created(seller, { delivery_address_id: address.id });
    expect((await shown(seller.admin, id!)).delivery_address).toEqual({ ...saved, zip });
  });

  test("the address that the request writes out, for this subscription alone", async () => {
    const seller = await openSeller({}, home);
    const { postal_code: zip, ...written } = {
      ...home,
      city: "Wien",
      country: "Österreich",
      country_code: "AT",
    };
    const [id] = await created(seller, { delivery_address_id: null, delivery_address: { ...written, zip } });
    expect((await shown(seller.admin, id!)).delivery_address).toEqual({ ...written, zip });
    const [other] = await created(seller, { delivery_address: null });
    expect((await shown(seller.admin, other!)).delivery_address).toMatchObject({ city: home.city });
    const { body } = await api(seller.admin, "GET", `/api/profiles/${seller.profileId}/addresses`);
    expect(body.data).toEqual([]);
  });

  test("an address of the profile, as it is then", async () => {
    const seller = await openSeller({}, home);
    const body = {
      address1: "2 Side St",
      city: "Paris",
      zip: "75001",
      country: "France",
      country_code: "FR",
      company: "Acme",
      province_code: null,
    };
    const at = `/api/profiles/${seller.profileId}/addresses`;
    const address = (await api(seller.admin, "POST", at, { body })).body.data;
    const [id] = await created(seller, { delivery_address_id: address.id });
    const { province_code, ...said } = body;
    expect((await shown(seller.admin, id!)).delivery_address).toEqual(said);
    await api(seller.admin, "PUT", `${at}/${address.id}`, { body: { city: "Lyon" } });
    expect((await shown(seller.admin, id!)).delivery_address.city).toBe("Paris");
  });
});
