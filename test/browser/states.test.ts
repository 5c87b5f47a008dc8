import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { faultsOf, overflow } from "./axe.ts";
import {
  execute,
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

/** A demo customer of no other test here. */
const customer = 60;
const ids: Record<"challenged" | "bound" | "open", string> = { challenged: "", bound: "", open: "" };

async function json(response: Promise<Response>): Promise<{ ids: [string] }> {
  return (await response).json() as Promise<{ ids: [string] }>;
}

async function subscribe(method: string, plan: string): Promise<string> {
  const line = {
    store_product_id: "product-1",
    store_variant_id: "variant-1",
    product_title: "Beef and carrot",
    selling_plan_id: plan,
    price: 20,
    quantity: 1,
  };
  const body = {
    profile_id: demoId("profile", customer),
    store_payment_method_id: method,
    next_delivery_date: new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10),
    lines: [line],
  };
  const { ids } = await json(merchant("POST", "/api/subscriptions", body));
  for (let tries = 0; (await rowOf(ids[0])).store_contract_id === null; tries++) {
    if (tries === 100) throw new Error("The contract was not made");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return ids[0];
}

beforeAll(async () => {
  const plan = { id: "plan-bound", name: "Bound", billing_interval: "MONTH", billing_interval_count: 1 };
  await merchant("POST", "/api/subscriptions/selling-plans", { ...plan, min_cycles: 3 });
  ids.bound = await subscribe("pm_success", plan.id);
  ids.open = await subscribe("pm_success", demoPlanIds.weekly);
  ids.challenged = await subscribe("pm_requires_action", demoPlanIds.weekly);
  await merchant("POST", `/api/subscriptions/${ids.challenged}/ship-now`);
  for (let tries = 0; ; tries++) {
    const { data } = (await (
      await merchant("GET", `/api/subscriptions/${ids.challenged}/billing-attempts`)
    ).json()) as { data: [{ status: string }] };
    if (data[0].status === "ACTION_REQUIRED") break;
    if (tries === 100) throw new Error("The payment was not challenged");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

describe.each([
  { locale: "en", width: 390, dark: false },
  { locale: "de", width: 390, dark: true },
  { locale: "fr", width: 1280, dark: false },
  { locale: "es", width: 1280, dark: true },
])("in $locale, $width px wide, dark: $dark", ({ locale, width, dark }) => {
  let page: Page;
  beforeAll(async () => {
    page = await newPage(await newContext(), { width, dark });
    await signIn(page, customer, { locale });
  });
  afterAll(() => page.browserContext().close());

  const look = async (name: string) => {
    await picture(page, `${name}-${locale}-${width}-${dark ? "dark" : "light"}`);
    expect(await overflow(page), "wider than the screen").toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  };
  /** The focus comes a moment after the page: a browser moves it once it has laid the page out. */
  const focusOn = (name: string) =>
    page.waitForFunction(
      `document.activeElement.name === "${name}" && document.activeElement.closest("[aria-invalid=true]") !== null`,
    );

  test("a payment to confirm is the first thing on the home page and on the subscription's", async () => {
    for (const path of ["", `/subscriptions/${ids.challenged}`]) {
      await page.goto(portal + path);
      await look(`confirm${path === "" ? "-home" : ""}`);
      const first = (await page.evaluate(
        "document.querySelector('main').firstElementChild.querySelector('a').href",
      )) as string;
      expect(first).toContain("sandbox-store.invalid");
    }
  });

  test("a minimum term says when it ends", async () => {
    await page.goto(`${portal}/subscriptions/${ids.bound}`);
    await look("minimum-term");
    expect(await textOf(page)).toMatch(/3/);
  });

  test("a form that was refused marks its fields, and the first has the focus", async () => {
    await page.goto(`${portal}/subscriptions/${ids.open}/address`);
    for (const name of ["zip", "city"])
      await page.$eval(`input[name=${name}]`, (input) => {
        (input as unknown as { value: string }).value = "";
      });
    await press(page, "main form button");
    await focusOn("city");
    await look("refused-address");
    await page.goto(`${portal}/subscriptions/${ids.open}/skip`);
    await page.$$eval("input[name=skip_reason_id]", (all) => {
      for (const one of all) one.removeAttribute("required");
    });
    await press(page, "main form button");
    await focusOn("skip_reason_id");
    await look("refused-skip");
  });

  test("a failed payment is the first thing that is said", async () => {
    await execute("UPDATE subscriptions SET status = 'PAYMENT_FAILED' WHERE id = ?", ids.open);
    await page.goto(`${portal}/subscriptions/${ids.open}`);
    await look("failed");
    await execute("UPDATE subscriptions SET status = 'ACTIVE' WHERE id = ?", ids.open);
  });
});
