import type { FakeShopify } from "../../../test/support/fake-shopify.ts";
import { perAccount } from "../../kernel/per-account.ts";
import type { SimulatedStore } from "../../kernel/store.ts";
import type { Attempts } from "./attempts.ts";
import type { Contracts } from "./contracts.ts";

/** A request on its way to the store. */
export type Sent = { arrive: (isLate: boolean) => Promise<Response> };

/** The fake Shopify store behind the Worker's own adapter. */
export type OpenShopify = SimulatedStore & {
  fake: FakeShopify;
  customer: string;
  attempts: Attempts;
  contracts: Contracts;
  /** Requests whose senders gave up, and that arrive later. */
  late: (Sent & { at: number })[];
};

/** The store of an account, where it is Shopify. */
export const shopifyOf = perAccount((): OpenShopify | undefined => undefined);
