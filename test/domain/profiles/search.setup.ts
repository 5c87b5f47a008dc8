import { expect } from "vitest";
import { listed, type Merchant, type ProfileValues } from "../../support/records.ts";

export const path = "/api/profiles";

/** The ids that a search finds, in order. */
export async function find(search: string, as: Merchant): Promise<string[]> {
  const { data, meta } = await listed(as.admin, path, { search, limit: 100 });
  expect(meta.total).toBe(data.length);
  return data.map(({ id }) => id as string).sort();
}

/** The texts of a profile in which a search looks. */
export function searchedFields(profile: ProfileValues): (string | null)[] {
  return [
    profile.email,
    [profile.first_name, profile.last_name].filter((name) => name).join(" "),
    profile.phone_number,
    profile.phone_number?.replace(/[\s()./-]/g, "") ?? null,
    profile.postal_code,
    profile.city,
    profile.external_id,
    profile.store_customer_id,
  ];
}
