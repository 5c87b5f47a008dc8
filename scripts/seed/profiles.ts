import type { Value } from "../../src/base/db/port.ts";
import { demoId } from "../../src/base/demo.ts";
import { deriveColumns } from "../../src/domain/profiles/rules.ts";
import { demoAccountSeq } from "./account.ts";
import { draw, pick } from "./draw.ts";
import { cities, entityNames, firstNames, lastNames } from "./names.ts";
import { instantOf } from "./times.ts";

type Row = Record<string, Value>;

/** The n-th profile as the customer's subscriptions and addresses show it. */
export function personOf(n: number) {
  const [city, region, postal_code] = pick(n, 3, cities);
  return {
    id: demoId("profile", n),
    first_name: pick(n, 1, firstNames),
    last_name: pick(n, 2, lastNames),
    address1: `${1 + draw(n, 7, 400)} ${pick(n, 8, lastNames)} Street`,
    city,
    region,
    country: "United States",
    country_code: "US",
    postal_code,
  };
}

export function profileRow(n: number, now: Date): Row & Person {
  const { id, first_name, last_name, ...address } = personOf(n);
  const created_at = instantOf(now, 400 + draw(n, 4, 300), n);
  const fields = {
    email: `${first_name}.${last_name}.${n}@example.com`
      .replaceAll("ø", "o")
      .replaceAll("ı", "i")
      .normalize("NFKD")
      .replaceAll(/[^\w.@-]/g, ""),
    first_name,
    last_name,
    phone_number: `+1 555 ${String(1_000_000 + n).slice(-7)}`,
    external_id: n % 3 === 0 ? `crm-${n}` : null,
    store_customer_id: `customer-${n}`,
  };
  return {
    id,
    account_seq,
    revision: 1,
    ...fields,
    ...deriveColumns({ ...fields, ...address }),
    email_status: pick(n, 5, ["subscribed", "subscribed", "unsubscribed", "suppressed", null]),
    sms_status: pick(n, 6, ["subscribed", "unsubscribed", null]),
    timezone: "America/New_York",
    ...address,
    created_at,
    updated_at: created_at,
  };
}

export function addressRow(n: number, profile: Row & Person): Row {
  const { id, first_name, last_name, address1, city, region, postal_code, country, country_code } = profile;
  return {
    id: demoId("delivery_address", n),
    account_seq,
    profile_id: id,
    first_name,
    last_name,
    address1,
    city,
    zip: postal_code,
    province: region,
    country,
    country_code,
    created_at: profile.created_at ?? null,
    updated_at: profile.created_at ?? null,
  };
}

export function paymentMethodRow(n: number, profile: Row & Person): Row {
  return {
    id: demoId("payment_method", n),
    account_seq,
    profile_id: profile.id,
    store_payment_method_id: "pm_success",
    brand: "visa",
    last4: "4242",
    exp_month: 12,
    exp_year: 2034,
    is_default: 1,
    status: "VALID",
    created_at: profile.created_at ?? null,
    updated_at: profile.created_at ?? null,
  };
}

/** The entity that the n-th customer's subscriptions are for. */
export function entityOf(n: number): { id: string; name: string } {
  return {
    id: demoId("entity", n),
    name: pick(n, 13, entityNames),
  };
}

export function entityRow(n: number, now: Date): Row {
  const entity_type = pick(n, 11, ["dog", "dog", "cat", "person"]);
  const created_at = instantOf(now, 380 + draw(n, 12, 20), n);
  return {
    ...entityOf(n),
    account_seq,
    profile_id: demoId("profile", n),
    entity_type,
    is_active: draw(n, 14, 8) === 0 ? 0 : 1,
    image_url: null,
    attributes: JSON.stringify(entity_type === "person" ? {} : { weight_kg: 3 + draw(n, 15, 30) }),
    created_at,
    updated_at: created_at,
  };
}

const account_seq = demoAccountSeq;

export type Person = ReturnType<typeof personOf>;
