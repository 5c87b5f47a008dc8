import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import { merchant, newContext, newPage, picture, portal, press, rowOf, signIn, textOf } from "./visitor.ts";

/** A demo customer of no other test here, for each language. */
const languages = [
  { locale: "en", customer: 51, width: 390, dark: false, now: "Charged now", once: /Nothing further/ },
  {
    locale: "de",
    customer: 52,
    width: 390,
    dark: true,
    now: "Wird jetzt berechnet",
    once: /Weiter wird nichts/,
  },
  { locale: "fr", customer: 53, width: 1280, dark: false, now: "Débité maintenant", once: /Rien d’autre/ },
  {
    locale: "es",
    customer: 54,
    width: 1280,
    dark: true,
    now: "Se cobra ahora",
    once: /No se cobra nada más/,
  },
];

function onePart(id: string, part: string) {
  return `/api/subscriptions/${id}/${part}`;
}

async function settledAttempt(id: string): Promise<{ status: string; amount: number }[]> {
  for (let tries = 0; ; tries++) {
    const { data } = (await (await merchant("GET", onePart(id, "billing-attempts"))).json()) as {
      data: { status: string; amount: number; settled_at: string | null }[];
    };
    if (data[0]?.settled_at) return data;
    if (tries === 100) throw new Error("The attempt was not settled");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function subscribe(customer: number, store_payment_method_id: string): Promise<string> {
  const line = {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Beef and carrot",
    selling_plan_id: demoPlanIds.weekly,
    price: 20,
    quantity: 1,
  };
  const next_delivery_date = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  const body = {
    profile_id: demoId("profile", customer),
    store_payment_method_id,
    next_delivery_date,
    lines: [line],
  };
  const { ids } = (await (await merchant("POST", "/api/subscriptions", body)).json()) as { ids: [string] };
  for (let tries = 0; (await rowOf(ids[0])).store_contract_id === null; tries++) {
    if (tries === 100) throw new Error("The contract was not made");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return ids[0];
}

describe.each(languages)("in $locale", ({ locale, customer, width, dark, now, once }) => {
  let page: Page;
  let [owing, paid] = ["", ""];
  beforeAll(async () => {
    owing = await subscribe(customer, "pm_insufficient_funds");
    paid = await subscribe(customer, "pm_success");
    for (const id of [owing, paid]) {
      await merchant("POST", onePart(id, "ship-now"));
      await settledAttempt(id);
    }
    page = await newPage(await newContext(), { width, dark });
    await signIn(page, customer, { locale });
  });
  afterAll(() => page.browserContext().close());

  const look = async (name: string): Promise<string> => {
    await picture(page, `${name}-${locale}-${width}-${dark ? "dark" : "light"}`);
    expect(await overflow(page), "wider than the screen").toBe(0);
    expect(await faultsOf(page)).toEqual([]);
    return textOf(page);
  };

  test("a repeated delivery names no charge and has no button, paid or declined", async () => {
    for (const id of [paid, owing]) {
      await page.goto(`${portal}/subscriptions/${id}/ship-now`);
      const text = await look(id === paid ? "paid-already" : "declined-already");
      expect(text).toMatch(once);
      expect(text).not.toContain(now);
      expect(await page.$("main form")).toBeNull();
    }
  });

  test("another payment method for what is owed shows the charge, and charges that", async () => {
    await page.goto(`${portal}/subscriptions/${owing}/payment-method`);
    await look("switch-form");
    await page.click("input[name=payment_method_id]");
    await press(page, "main form button");
    const shown = await look("switch-charges");
    const [, amount] = new RegExp(`${now}\\s+(.*)`).exec(shown) ?? [];
    await press(page, "main form button");
    const [attempt] = await settledAttempt(owing);
    expect(attempt).toMatchObject({ status: "SUCCEEDED" });
    expect(amount).toBe(
      new Intl.NumberFormat(locale, { style: "currency", currency: "USD" }).format(attempt!.amount),
    );
    await page.goto(`${portal}/subscriptions/${owing}`);
    expect(await look("switch-charged")).toContain(amount);
  });
});
