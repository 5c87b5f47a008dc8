import { z } from "@hono/zod-openapi";
import { named } from "../../kit/http/document/describe.ts";
import { instant, int64 } from "../../kit/http/document/params.ts";
import { listOf, pageQuery } from "../../kit/http/list/pagination.ts";
import { unsupportedReasons } from "./tables.ts";

const Reason = z.enum(unsupportedReasons).openapi("UnsupportedContractReason", {
  description:
    "Why a contract cannot become a subscription. CUSTOMER: its customer has no e-mail address of their own. PAYMENT_METHOD: its payment method cannot be used. PRICES: its discounts or prices cannot be kept as they were promised. LINES: a line has no product, or no selling plan. INTERVALS: its deliveries do not divide its billings. LAST_CYCLE: its last cycle has been billed. ADDRESS: the country of its address is not known. ACCESS: the store does not let the app read it, or its customer. OTHER: as `message` says.",
});

const UnsupportedContractBody = named(
  "UnsupportedContract",
  z.strictObject({
    store_contract_id: int64,
    reason: Reason,
    message: z.string(),
    currency_code: z.string(),
    store_customer_id: z.string().nullable(),
    first_seen_at: instant,
    last_seen_at: instant,
  }),
  {
    store_contract_id: ["The number of the contract at the connected store.", 1_000_001],
    reason: "Why it cannot become a subscription.",
    message: ["The same in words, for people.", "it is in EUR, and the account in USD"],
    currency_code: [
      "The ISO 4217 code of the currency in which the customer subscribed; the account's where that may not be read.",
      "EUR",
    ],
    store_customer_id: [
      "The customer's plain id at the connected store; null where the contract has none, and once the customer's data is erased.",
      "6100000000001",
    ],
    first_seen_at: ["When it was first seen: UTC.", "2026-11-20T12:00:00.000Z"],
    last_seen_at: [
      "When it was last looked at: UTC. That is done with every webhook about it, and every night.",
      "2026-11-21T03:00:00.000Z",
    ],
  },
  { description: "A contract of the store's checkout that nobody bills, and why." },
);

export const UnsupportedContractList = listOf(UnsupportedContractBody, "UnsupportedContractList");
export const UnsupportedContractQuery = z.strictObject(pageQuery);
