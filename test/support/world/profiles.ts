import { deliveryAddresses, profiles } from "../../../src/domain/profiles/tables.ts";
import { insertOf } from "../database.ts";
import { profileRow } from "../tenant.ts";
import { type MakePart, stamps, storeNumber } from "./part.ts";

export const profilePart: MakePart = (of, mark, { profile, spare, address }) => ({
  writes: [
    insertOf(
      profiles,
      profileRow(of, {
        id: profile,
        email: `${mark}@customers.test`,
        first_name: mark,
        store_customer_id: storeNumber(),
      }),
    ),
    insertOf(profiles, profileRow(of, { id: spare, email: `spare-${mark}@customers.test`, last_name: mark })),
    insertOf(deliveryAddresses, {
      id: address,
      account_id: of.account.id,
      profile_id: profile,
      address1: mark,
      city: mark,
      zip: "10115",
      country: "Germany",
      country_code: "DE",
      ...stamps,
    }),
  ],
  paths: {
    "/api/profiles/{id}": { id: spare },
    "/api/profiles/{id}/activity": { id: profile },
    "/api/profiles/{id}/addresses": { id: profile },
    "/api/profiles/{id}/addresses/{addressId}": { id: profile, addressId: address },
  },
  bodies: { createToken: { actor_type: "customer", profile_id: profile } },
});
