/** A store that takes no requests for a while makes nobody look at a payment that it then makes. */
import { expect, test } from "vitest";
import { actionsOf, deliver } from "../../support/shops.ts";
import { attemptsOf, shipNow } from "../../support/worker.ts";
import { subscribed, useShop } from "./shop.ts";

const shop = useShop();

const lost = () => shop.store.fail({ kind: "network", effect: "none", on: "CreateAttempt" });
/** More often than claims that count put an attempt under review. */
const throttled = () => shop.store.fail({ kind: "http429", on: "CreateAttempt", times: 22 });

test.each([
  ["after a request that was lost", [lost, throttled]],
  ["before a request that is lost", [throttled, lost]],
])(
  "a store that takes no requests for a while (%s) has nobody look at a payment that it then makes",
  async (_, faults) => {
    const id = await subscribed(shop);
    for (const add of faults) add();
    const attempt_id = (await shipNow(shop.merchant, shop.worker, id)).body.billing_attempt_id;
    shop.worker.forget();
    const job = { type: "charge", account_id: shop.merchant.of.account.id, attempt_id };
    for (let nth = 0; nth < 25; nth++) await deliver([job], shop.worker);
    expect(await attemptsOf(shop.merchant, id)).toMatchObject([{ status: "SUCCEEDED" }]);
    expect(await actionsOf(id)).not.toContain("billing_review_required");
    expect(shop.store.charges).toHaveLength(1);
  },
);
