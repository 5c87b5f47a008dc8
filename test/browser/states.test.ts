/** A page puts first what its customer has to do, and marks the fields that were refused. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Page } from "../../tools/browser/puppeteer.ts";
import { look as lookAt } from "./look.ts";
import {
  execute,
  goods,
  leave,
  merchant,
  openPortal,
  portal,
  press,
  subscribe,
  textOf,
  until,
} from "./visitor.ts";

/** A demo customer of no other test here. */
const customer = 38;
const ids: Record<"challenged" | "bound" | "open", string> = { challenged: "", bound: "", open: "" };

beforeAll(async () => {
  const plan = { id: "plan-bound", name: "Bound", billing_interval: "MONTH", billing_interval_count: 1 };
  await merchant("POST", "/api/subscriptions/selling-plans", { ...plan, min_cycles: 3 });
  ids.bound = await subscribe(customer, { lines: [{ ...goods, selling_plan_id: plan.id }] });
  ids.open = await subscribe(customer);
  ids.challenged = await subscribe(customer, { method: "pm_requires_action" });
  await merchant("POST", `/api/subscriptions/${ids.challenged}/ship-now`);
  await until("The payment was not challenged", async () => {
    const answer = await merchant("GET", `/api/subscriptions/${ids.challenged}/billing-attempts`);
    const { data } = (await answer.json()) as { data: [{ status: string }] };
    return data[0].status === "ACTION_REQUIRED";
  });
});

describe.each([
  { locale: "en", width: 390, dark: false },
  { locale: "de", width: 390, dark: true },
  { locale: "fr", width: 1280, dark: false },
  { locale: "es", width: 1280, dark: true },
])("in $locale, $width px wide, dark: $dark", ({ locale, width, dark }) => {
  let page: Page;
  beforeAll(async () => {
    page = await openPortal(customer, { width, dark, locale });
  });
  afterAll(() => leave(page));

  const look = (name: string) => lookAt(page, `${name}-${locale}`, { width, dark });
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
