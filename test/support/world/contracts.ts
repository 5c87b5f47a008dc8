import { unsupportedContracts } from "../../../src/domain/contracts/tables.ts";
import { insertOf } from "../database.ts";
import { type MakePart, now } from "./part.ts";

export const contractPart: MakePart = ({ account }, mark) => ({
  writes: [
    insertOf(unsupportedContracts, {
      account_id: account.id,
      store_contract_id: 9_000_001,
      reason: "OTHER",
      message: mark,
      currency_code: "EUR",
      store_customer_id: null,
      first_seen_at: now,
      last_seen_at: now,
    }),
  ],
});
