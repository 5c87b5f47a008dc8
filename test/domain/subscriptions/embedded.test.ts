/** A subscription shows its profile, entity and latest order as they are shown by themselves, whatever they hold. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { PlainOrderBody } from "../../../src/domain/orders/schemas.ts";
import { api } from "../../support/client.ts";
import {
  entityOf,
  type Merchant,
  type OrderRow,
  orderOf,
  type ProfileValues,
  profileOf,
  put,
  seeded,
  subscriptionOf,
} from "../../support/records.ts";
import type { Json } from "../../support/shops.ts";
import { readBoth } from "../../support/stored-subscriptions.ts";
import { useMerchant } from "../../support/use-account.ts";

const merchant = useMerchant();

/** Texts that JSON, SQL or a template of SQLite's printf writes in a way of its own, and others. */
const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    '"',
    "\\",
    "'",
    "%s",
    "%",
    "{}",
    "null",
    "\n\t\u0001\u001f",
    "é\u2028𝄞",
    "a".repeat(500),
  ),
  fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\u0000") && value.isWellFormed()),
);
const orNull = fc.option(text);
const amount = fc.oneof(
  fc.constantFrom(0, 1, 5, 10, 1995, 1_000_000_000_000, 999_999_999_999),
  fc.integer({ min: 0, max: 1_000_000_000_000 }),
);
const currency_code = fc.constantFrom("USD", "EUR", "JPY", "KRW", "KWD", "CLF", "UYW", "XXX");

const profiles = fc.record<Partial<ProfileValues>>({
  ...{ first_name: orNull, last_name: orNull, phone_number: orNull, timezone: orNull },
  ...{ address1: orNull, address2: orNull, city: orNull, region: orNull, postal_code: orNull },
  ...{ country: orNull, country_code: fc.constantFrom(null, "DE"), external_id: orNull },
});
const entities = fc.record({
  ...{ name: text, entity_type: text, image_url: orNull, wizard_id: orNull },
  ...{
    attributes: fc.constantFrom("{}", '{"breed":"Be\\"agle"}'),
    is_active: fc.constantFrom(0 as const, 1 as const),
  },
});
const orders = fc.record<Partial<OrderRow>>({
  ...{ currency_code, subtotal: amount, discount_amount: amount, total: amount, refunded_amount: amount },
  ...{ external_order_number: orNull, tracking_company: orNull, external_source: orNull },
  ...{
    is_checkout_order: fc.constantFrom(0 as const, 1 as const),
    delivery_date: fc.constantFrom(null, "2030-01-15"),
  },
});

test("in a list and by itself", async () => {
  await fc.assert(
    fc.asyncProperty(profiles, fc.option(entities), fc.option(orders), async (...values) => {
      const { profile, entity, order, single, item } = await store(merchant, ...values);
      expect(single.profile).toEqual(profile);
      expect(item.profile).toEqual(profile);
      expect(single.entities).toEqual(entity ? [entity] : []);
      expect(item.entities).toEqual(entity ? [entity] : []);
      expect(item.entity).toEqual(entity);
      expect(item.last_order).toEqual(order ? pick(order, Object.keys(PlainOrderBody.shape)) : null);
    }),
    seeded(40),
  );
});

async function store(
  { of, admin }: Merchant,
  ofProfile: Partial<ProfileValues>,
  ofEntity: Partial<Parameters<typeof entityOf>[2]> | null,
  ofOrder: Partial<OrderRow> | null,
) {
  const id = newId();
  const profile = profileOf(of, {
    ...ofProfile,
    email: `${id}@example.com`,
    email_folded: `${id}@example.com`,
  });
  const entity = ofEntity && entityOf(of, profile.id, ofEntity);
  const order = ofOrder && orderOf(of, { ...ofOrder, profile_id: profile.id });
  const row = subscriptionOf(of, profile.id, {
    entity_id: entity?.id ?? null,
    last_order_id: order?.id ?? null,
  });
  await put("profiles", [profile]);
  if (entity) await put("entities", [entity]);
  if (order) await put("orders", [order]);
  await put("subscriptions", [row]);
  const own = async (path: string): Promise<Json> => (await api(admin, "GET", path)).body.data;
  return {
    profile: await own(`/api/profiles/${profile.id}`),
    entity: entity ? await own(`/api/subscriptions/entities/${entity.id}`) : undefined,
    order: order ? await own(`/api/subscriptions/orders/${order.id}`) : undefined,
    ...(await readBoth({ of, admin }, row.id, profile.id)),
  };
}

function pick(record: Json, names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, record[name]]));
}
