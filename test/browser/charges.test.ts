/** The portal shows a charge before it is made, and none for a delivery that is repeated. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { look as lookAt } from "./look.ts";
import { leave, merchant, openPortal, portal, press, subscribe, textOf, until } from "./visitor.ts";

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

type Attempt = { status: string; amount: number; settled_at: string | null };

async function settledAttempt(id: string): Promise<Attempt> {
  let latest: Attempt | undefined;
  await until("The attempt was not settled", async () => {
    const answer = await merchant("GET", onePart(id, "billing-attempts"));
    [latest] = ((await answer.json()) as { data: Attempt[] }).data;
    return typeof latest?.settled_at === "string";
  });
  return latest!;
}

describe.each(languages)("in $locale", ({ locale, customer, width, dark, now, once }) => {
  let page: Page;
  let [owing, paid] = ["", ""];
  beforeAll(async () => {
    owing = await subscribe(customer, { method: "pm_insufficient_funds" });
    paid = await subscribe(customer);
    for (const id of [owing, paid]) {
      await merchant("POST", onePart(id, "ship-now"));
      await settledAttempt(id);
    }
    page = await openPortal(customer, { width, dark, locale });
  });
  afterAll(() => leave(page));

  const look = async (name: string): Promise<string> => {
    await lookAt(page, `${name}-${locale}`, { width, dark });
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
    const [, amount] = new RegExp(`${now}\\s+(.*?)(?: · .*)?$`, "m").exec(shown) ?? [];
    await press(page, "main form button");
    const attempt = await settledAttempt(owing);
    expect(attempt).toMatchObject({ status: "SUCCEEDED" });
    expect(amount).toBe(
      new Intl.NumberFormat(locale, { style: "currency", currency: "USD" }).format(attempt.amount),
    );
    await page.goto(`${portal}/subscriptions/${owing}`);
    expect(await look("switch-charged")).toContain(amount);
  });
});
