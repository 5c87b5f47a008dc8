import { newId } from "../../../../src/base/lib/ids.ts";
import { remoteMethodScopes } from "../../../../src/stores/shopify/app/scopes.ts";
import { createAttempt, readAttempt } from "../../../../src/stores/shopify/documents.ts";
import { execute } from "../../../support/database.ts";
import { plain } from "../../../support/fake-shopify/ids.ts";
import { outcomes } from "../../../support/fake-shopify.ts";
import type { Json } from "../../../support/shops.ts";
import { shopOnShopify, token, webhooksUri } from "../../shopify/shop.ts";
import { soldAtCheckout } from "../../shopify/sold.ts";
import { requestOf } from "../../shopify/store.ts";
import { type Fate, type StoreWorld, worldOf } from "../world.ts";

/** A shop on the fake Shopify. */
export async function shopifyWorld(): Promise<StoreWorld> {
  const connected = await shopOnShopify({ maximum: 1e6, restoreRate: 1e6 });
  const { merchant, worker, store, card, plan } = connected;
  const { account } = merchant.of;
  const customer = store.method(card).customer!.id;
  store.settings.scopes.push(...remoteMethodScopes);
  await execute(
    "UPDATE shopify_connections SET webhooks_uri = ? WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
    webhooksUri,
    account.id,
  );
  const base = worldOf(merchant.of, {
    bindings: worker.bindings,
    store_customer_id: plain(customer),
    store_payment_method_id: plain(card),
  });
  const ask = async (query: string, variables: Json): Promise<Json> => {
    const url = `https://${account.shop}/admin/api/2026-10/graphql.json`;
    const response = await store.fetch(requestOf(query, variables, { url, token }));
    return ((await response.json()) as Json).data;
  };
  const on = "CreateAttempt";
  const prepared: Record<Fate, () => void> = {
    is_made: () => {},
    is_declined: () => store.nextOutcomes(outcomes.payment("INSUFFICIENT_FUNDS")),
    waits: () => store.nextOutcomes(outcomes.challenge()),
    loses_answer: () => store.fail({ kind: "network", effect: "done", on }),
    does_not_arrive: () => store.fail({ kind: "network", effect: "none", on }),
  };
  return {
    ...base,
    isAsked: () => true,
    methodThat(fate) {
      prepared[fate]();
      return plain(card);
    },
    countPaid: async () => store.charges.length,
    async pay(count) {
      const opened = await base.open();
      const contract = await opened.createContract(await base.newContract(), null);
      const keys = Array.from({ length: count }, () => newId());
      for (const idempotencyKey of keys) {
        const id = `gid://shopify/SubscriptionContract/${contract}`;
        const made = await ask(createAttempt, { contract: id, attempt: { idempotencyKey } });
        await ask(readAttempt, { id: made.subscriptionBillingAttemptCreate.subscriptionBillingAttempt.id });
        store.settle(idempotencyKey);
      }
      return keys;
    },
    unknownMethod: "0123456789abcdef",
    expiredMethod() {
      const id = store.addPaymentMethod(customer);
      store.replaceInstrument(id, { expiryMonth: 1, expiryYear: 2020 });
      return plain(id);
    },
    disconnect: () =>
      execute(
        "UPDATE shopify_connections SET disconnected_at = created_at WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        account.id,
      ),
    reconnect: () =>
      execute(
        "UPDATE shopify_connections SET disconnected_at = NULL WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        account.id,
      ),
    countMails: () => store.updateEmails.length,
    webhooks: {
      count: () => store.registered().length,
      drop: () => store.dropSubscriptions(),
    },
    scopes: {
      take: (scope) => store.changeScopes((scopes) => scopes.filter((each) => each !== scope)),
      give: (scope) => store.changeScopes((scopes) => [...scopes, scope]),
    },
    uninstall: () => store.uninstall(),
    customers: { known: plain(customer), unknown: "999999999" },
    records: {
      order: async () => plain(store.addOrder({ customer, total: 1990 })),
      planGroup: () => plain(store.addPlanGroup({ plans: [{ name: "Monthly" }] })),
      countPlanGroups: () => store.planGroups().length,
    },
    sellContract: () =>
      Number(
        plain(soldAtCheckout(connected, { line: { sellingPlanId: `gid://shopify/SellingPlan/${plan}` } })),
      ),
  };
}
