/** A page says in a sentence why a payment stands still, and offers to pay only with what can pay. */
import { beforeEach, describe, expect, test } from "vitest";
import { textsOf } from "../../../src/edges/portal/pages/texts/index.ts";
import { turnCard } from "../../domain/billing/upcoming-states.ts";
import { execute } from "../../support/database.ts";
import { addPlan, force, itemOf, openShop, read, type Shop } from "../../support/shops.ts";
import { advance, linked, startClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
const locales = ["en", "de", "fr", "es"] as const;
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
let id: string;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-31T10:00:00.000Z");
  visitor = openVisitor(worker, shop);
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  id = await linked(shop, worker, { next_delivery_date: "2030-02-03", lines: [itemOf(plan)] });
});

/** The main part of the home page and of the subscription's. */
async function pages(locale = "en"): Promise<string[]> {
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
  const answers = [await visitor.get(), await visitor.get(`/subscriptions/${id}`)];
  return answers.map(({ text }) => text.slice(text.indexOf("<main"), text.indexOf("</main>")));
}

/** The first button of a page. */
function mainOf(page: string): string | undefined {
  return /<a class="button" href="[^"]*\/([\w-]+)"/.exec(page)?.[1];
}

describe("a payment that stands still", () => {
  test.each(locales)(
    "of a shop that cannot take any says so in %s, and nothing offers to pay",
    async (locale) => {
      await turnCard({ id }, "pm_gateway_disabled");
      await advance(shop, worker, 4);
      expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", can_retry_payment: true });
      for (const page of await pages(locale)) {
        expect(page).toContain(textsOf(locale).why.waits.shop);
        expect(page).not.toMatch(/retry-payment|ship-now/);
      }
    },
  );

  test.each([
    ["store_unreachable", "review"],
    ["import_held", "held"],
    ["inventory_allocations_not_found", "stock"],
    ["__proto__", "shop"],
  ] as const)("for %s has a sentence", async (billing_blocked_reason, wait) => {
    await force(id, { billing_blocked_reason });
    for (const page of await pages()) expect(page).toContain(textsOf("en").why.waits[wait]);
  });

  test("says nothing of a subscription that has ended", async () => {
    await force(id, { billing_blocked_reason: "import_held", status: "CANCELLED" });
    for (const page of await pages()) expect(page).not.toContain(textsOf("en").why.waits.held);
  });
});

test.each(locales)("in %s a payment to confirm is what the next delivery waits for", async (locale) => {
  await turnCard({ id }, "pm_requires_action");
  await advance(shop, worker, 4);
  const texts = textsOf(locale);
  const [home, page] = await pages(locale);
  expect(home).toContain(texts.afterConfirmation);
  expect(page!.split(texts.afterConfirmation), "delivery and charge").toHaveLength(3);
});

describe("a card that has expired", () => {
  test("and is known to be is not offered to be charged: another one is, first", async () => {
    await turnCard({ id }, "pm_expired_card");
    await advance(shop, worker, 4);
    await execute(
      "UPDATE payment_methods SET status = 'EXPIRED' WHERE id = (SELECT payment_method_id FROM subscriptions WHERE id = ?)",
      id,
    );
    const [home, page] = await pages();
    expect(home).not.toContain("retry-payment");
    expect(page).not.toContain("retry-payment");
    expect([mainOf(home!), mainOf(page!)]).toEqual(["payment-method", "payment-method"]);
  });

  test("as the last payment has shown, leads to another one first, and can still be tried", async () => {
    await turnCard({ id }, "pm_expired_card");
    await advance(shop, worker, 4);
    const [, page] = await pages();
    expect(mainOf(page!)).toBe("payment-method");
    expect(page).toContain("retry-payment");
  });
});
