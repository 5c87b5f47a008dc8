import { expect } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import type { Merchant } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

export const path = "/api/profiles";
export type Body = Record<string, unknown>;

/** The most characters of a field, where that is less than 10,000. */
const longest: Record<string, number> = {
  ...{ address1: 255, address2: 255, city: 255, country: 255, region: 255, postal_code: 40 },
};

/** As much of a text as a field may have. */
export function cutFor(name: string, text: string): string {
  return [...text].slice(0, longest[name] ?? 10_000).join("");
}

export const nullable = [
  "first_name",
  "last_name",
  "phone_number",
  "external_id",
  "timezone",
  "address1",
  "address2",
  "city",
  "region",
  "country",
  "postal_code",
] as const;

export const everyField = {
  first_name: "Ada",
  last_name: "Lovelace",
  phone_number: "+44 20 7946 0958",
  external_id: "crm-1",
  timezone: "Europe/London",
  address1: "12 St James's Square",
  address2: "Flat 2",
  city: "London",
  region: "England",
  country: "United Kingdom",
  postal_code: "SW1Y 4JH",
  country_code: "GB",
  email_status: "subscribed",
  sms_status: "suppressed",
  locale: "de",
};

export const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An account for the tests of a file, and the profile operations as its staff call them. */
export function useProfiles() {
  const account = useMerchant();
  const post = (body: Body, as: Merchant = account) => api(as.admin, "POST", path, { body });
  return {
    account,
    post,
    create: async (body: Body = {}, as: Merchant = account): Promise<Body & { id: string }> => {
      const answer = await post({ email: newEmail(), ...body }, as);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.data;
    },
    change: (id: string, body?: unknown) =>
      api(account.admin, "PUT", `${path}/${id}`, body === undefined ? {} : { body }),
    get: (id: string) => api(account.admin, "GET", `${path}/${id}`),
    remove: (id: string) => api(account.admin, "DELETE", `${path}/${id}`),
  };
}

export function newEmail() {
  return `customer-${++lastNumber}@customers.test`;
}

export async function rowOf(id: unknown) {
  return (await select("SELECT * FROM profiles WHERE id = ?", id as string))[0]!;
}

let lastNumber = 0;
