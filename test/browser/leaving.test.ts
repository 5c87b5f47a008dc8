import { describe, expect, test } from "vitest";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import { faultsOf } from "./axe.ts";
import {
  historyOf,
  merchant,
  newContext,
  newPage,
  picture,
  portal,
  press,
  rowOf,
  signIn,
  textOf,
} from "./visitor.ts";

async function subscribe(customer: number): Promise<string> {
  const line = {
    store_product_id: "product-1",
    store_variant_id: "variant-1-large",
    product_title: "Beef and carrot, 1.5 kg",
    variant_title: "Large",
    selling_plan_id: demoPlanIds.weekly,
    price: 40,
    quantity: 1,
  };
  const answer = await merchant("POST", "/api/subscriptions", {
    profile_id: demoId("profile", customer),
    store_payment_method_id: "pm_success",
    next_delivery_date: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10),
    lines: [line],
  });
  return ((await answer.json()) as { ids: string[] }).ids[0]!;
}

function reason(n: number): string {
  return `input[name=cancellation_reason_id][value="${demoId("cancellation_reason", n)}"]`;
}

/** The height and width of the buttons of a form, as they are drawn. */
function sizesOf(selector: string): string {
  return `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map((button) => {
    const { height } = button.getBoundingClientRect();
    const { fontSize, padding } = getComputedStyle(button);
    return [Math.round(height), fontSize, padding];
  }))`;
}

const screens = [
  { width: 390, javaScript: true },
  { width: 390, javaScript: false },
  { width: 1280, javaScript: true },
  { width: 1280, javaScript: false },
];

describe.each(screens)("$width px, JavaScript: $javaScript", ({ width, javaScript }) => {
  test("somebody leaves in two clicks, past the offers as with them", async () => {
    const page = await newPage(await newContext(), { width, javaScript });
    await signIn(page, 56);
    const [straight, around] = [await subscribe(56), await subscribe(56)];
    await page.goto(`${portal}/subscriptions/${straight}`);
    await press(page, `a[href$="${straight}/cancel"]`);
    const name = `leaving-${width}${javaScript ? "" : "-plain"}`;
    await picture(page, `${name}-why`);
    if (javaScript) {
      const sizes = JSON.parse((await page.evaluate(sizesOf("main form button"))) as string) as unknown[];
      expect(sizes).toHaveLength(2);
      expect(sizes[0], "as large as the other").toEqual(sizes[1]);
      expect(await faultsOf(page)).toEqual([]);
    }
    await press(page, "main form button.danger");
    expect(page.url()).toBe(`${portal}/subscriptions/${straight}`);
    expect((await rowOf(straight)).status).toBe("CANCELLED");
    expect((await historyOf(straight)).slice(-1)).toEqual(["subscription_cancelled"]);

    await page.goto(`${portal}/subscriptions/${around}/cancel`);
    await page.click(reason(1));
    await page.type("textarea[name=reason]", "Found it cheaper");
    await press(page, "main form button:not(.danger)");
    expect(await textOf(page)).toContain("20% off the next three deliveries");
    await picture(page, `${name}-offers`);
    if (javaScript) expect(await faultsOf(page)).toEqual([]);
    await press(page, "main form button.danger");
    const row = await rowOf(around);
    expect([row.status, row.cancellation_reason, row.cancellation_reason_id]).toEqual([
      "CANCELLED",
      "Found it cheaper",
      demoId("cancellation_reason", 1),
    ]);
    await page.browserContext().close();
  });
});

/** Each offer of the demo store, the reason that has it, and a customer who has taken none yet. */
const taken = [
  { kind: "DISCOUNT", why: 1, nth: 0, customer: 57, entry: "discount_applied" },
  { kind: "FREQUENCY", why: 1, nth: 1, customer: 58, entry: "frequency_changed" },
  { kind: "SWAP", why: 3, nth: 0, customer: 59, entry: "lines_changed" },
  { kind: "PAUSE", why: 3, nth: 1, customer: 60, entry: "subscription_paused" },
  { kind: "SKIP", why: 4, nth: 1, customer: 54, entry: "subscription_skipped" },
];

describe.each(taken)("the offer of kind $kind", ({ kind, why, nth, customer, entry }) => {
  test("is shown with what it does, and taken by its button", async () => {
    const page = await newPage(await newContext(), { width: nth === 0 ? 1280 : 390, javaScript: nth === 0 });
    await signIn(page, customer, { locale: ["en", "de", "fr", "es"][customer % 4] });
    const id = await subscribe(customer);
    await page.goto(`${portal}/subscriptions/${id}/cancel`);
    await page.click(reason(why));
    await press(page, "main form button:not(.danger)");
    await picture(page, `leaving-offer-${kind.toLowerCase()}`);
    await press(page, `section:nth-of-type(${nth + 1}) form button`);
    expect(page.url()).toBe(`${portal}/subscriptions/${id}`);
    await picture(page, `leaving-taken-${kind.toLowerCase()}`);
    const told = await historyOf(id);
    expect(told.slice(told.indexOf(entry)).slice(0, 2)).toEqual([entry, "cancellation_offer_accepted"]);
    const cases = await merchant("GET", `/api/subscriptions/${id}/cancellations`);
    const [found] = ((await cases.json()) as { data: { status: string }[] }).data;
    expect(found?.status).toBe("ACCEPTED");
    await page.browserContext().close();
  });
});
