import { readAccount } from "../../../src/base/accounts/queries.ts";
import type { Account } from "../../../src/base/accounts/tables.ts";
import { type Bindings, parseEnv } from "../../../src/base/env.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { openStore } from "../../../src/stores/open.ts";
import type { DesiredContract } from "../../../src/stores/port/contracts.ts";
import type { StoreProfile } from "../../../src/stores/port/payment-methods.ts";
import type { Store } from "../../../src/stores/port.ts";
import { testDb } from "../../support/database.ts";
import { address, inDays } from "../../support/shops.ts";
import { profile, type Tenant } from "../../support/tenant.ts";

/** The fate of a charge or a refund. Of two of them the answer is lost: of one that is made, and of one that does not reach the store. */
export type Fate = "is_made" | "is_declined" | "waits" | "loses_answer" | "does_not_arrive";

/** An account at a store, and the acts of everybody else there. An adapter that has a part of the port has the acts of that part here. */
export type StoreWorld = {
  /** The store as the domain opens it. */
  open(at?: Date): Promise<Store>;
  /** The contract of a new subscription of 2 × 10.00, and 4.90 for its delivery, of a customer who has a payment method. */
  newContract(): Promise<DesiredContract>;
  /** The id of a customer's payment method, whose next charge comes to this. */
  methodThat(fate: Fate): string;
  /** How many charges were paid at the store. */
  countPaid(): Promise<number>;
  /** So many charges that were paid under keys of this account, oldest first: their keys. */
  pay(count: number): Promise<string[]>;
  newProfile(): Promise<StoreProfile>;
  /** Whether a member of the port asks the store something, and not the database alone. */
  isAsked(member: string): boolean;
  /** Days pass at the store, after which it has forgotten the keys of requests. Undefined for one that forgets none. */
  passDays?(days: number): void;
  /** Undefined for a store that takes any payment method. */
  unknownMethod?: string;
  expiredMethod(): string;
  /** The store ends the connection. */
  disconnect?(): Promise<unknown>;
  reconnect?(): Promise<unknown>;
  customers?: { known: string; unknown: string };
  /** How many customers were asked by e-mail for another payment method. */
  countMails?(): number;
  /** A payment method of nobody. */
  ownerless?: string;
  /** The customer enters a payment method. Undefined for a store where nobody enters any, so that a setup is over as soon as it has begun. */
  enter?(setup: string): void;
  /** Amounts that the store cannot charge or pay back, with the currency of each. */
  amounts?: { tooSmall: [number, string]; uneven: [number, string] };
  refunds?: {
    /** The next refund of this charge comes to this. */
    prepare(fate: Fate): void;
    /** The merchant pays back part of a charge at the store. */
    refundElsewhere(reference: string, amount: number): Promise<unknown>;
  };
  /** A customer disputes a charge: the store's id of that. */
  dispute?(reference: string): string;
  /** Those that the store sends here, and how they end. */
  webhooks?: { count(): number; drop(): unknown };
  scopes?: { take(scope: string): void; give(scope: string): void };
  uninstall?(): void;
  records?: {
    order(): Promise<string>;
    /** A group of plans of the merchant's. */
    planGroup(): string;
    countPlanGroups(): number;
  };
  /** A customer concludes a contract at the store: its number. */
  sellContract?(): number;
};

/** The parts of a world that follow from its account. */
export function worldOf(
  tenant: Tenant,
  { bindings, ...contract }: { bindings: Bindings } & Partial<DesiredContract>,
): Pick<StoreWorld, "open" | "newProfile" | "newContract"> {
  return {
    async open(realNow = new Date()) {
      const account = (await readAccount(testDb(), tenant.account.id)) as Account;
      const now = realNow.toISOString();
      return openStore({ env: parseEnv(bindings), db: testDb(), account, now, realNow, log: () => {} });
    },
    newProfile: async () => (await profile(tenant)) as unknown as StoreProfile,
    newContract: async () => ({
      subscription_id: newId(),
      activation: 1,
      former_contract_id: null,
      store_customer_id: null,
      store_payment_method_id: null,
      own_payment_method_ids: null,
      currency_code: "EUR",
      next_billing_date: inDays(7),
      status: "ACTIVE",
      billing: { unit: "WEEK", count: 1 },
      delivery: { unit: "WEEK", count: 1 },
      delivery_price: 490,
      lines: [
        {
          store_variant_id: "41001",
          selling_plan_id: null,
          selling_plan_name: "Weekly",
          quantity: 2,
          price: 1000,
          discount_amount: 0,
        },
      ],
      address,
      note: null,
      ...contract,
    }),
  };
}
