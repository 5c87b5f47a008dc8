import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { type Assumption, assumptionsIn, isGuess } from "../../scripts/shopify-check/assumptions.ts";
import { type Checked, checkAssumptions, checks } from "../../scripts/shopify-check/checks.ts";
import { emailScope, requiredScopes } from "../../src/stores/shopify/scopes.ts";
import { type FakeShopify, fakeShopify, fetchOf } from "../support/fake-shopify.ts";

const shop = "check.myshopify.com";
const assumptions = assumptionsIn(readFileSync("docs/shopify-assumptions.md", "utf8"));
let store: FakeShopify;
beforeEach(() => {
  store = fakeShopify({ shop, token: "shpat_check", scopes: [...requiredScopes, emailScope] });
});

function run(subjects: object = {}, of: Assumption[] = assumptions): Promise<Checked[]> {
  return checkAssumptions({ shop, token: "shpat_check", send: fetchOf(store) }, subjects, of);
}

function verdictsOf(checked: Checked[]) {
  return new Map(checked.map(({ text, verdict }) => [text, verdict]));
}

/** A customer with a card, and a variant, by number. */
function subjects() {
  const customer = store.addCustomer();
  const last = (id: string) => id.split("/").at(-1)!;
  return {
    customer: last(customer),
    variant: "41001",
    paymentMethod: last(store.addPaymentMethod(customer)),
  };
}

test("a guess that follows a source is one", () => {
  const sources = [
    "guess",
    "schema; the delay is a guess",
    "changelog: guess",
    "schema `Guesswork`",
    "changelog",
  ];
  const of = (source: string): Assumption => ({ area: "", text: "", source });
  expect(sources.map((source) => isGuess(of(source)))).toEqual([true, true, true, false, false]);
});

test("every check is about a row of the table, and every guess is answered", async () => {
  const texts = assumptions.map(({ text }) => text);
  expect(Object.keys(checks).filter((text) => !texts.includes(text))).toEqual([]);
  const answered = verdictsOf(await run());
  for (const { text } of assumptions.filter(isGuess)) expect(answered.get(text), text).toBeDefined();
});

test("at the fake store every check is confirmed, with a customer and another app's group", async () => {
  store.addPlanGroup({ isOurs: false, plans: [{}] });
  store.unknownProducts.add("gid://shopify/Product/1");
  const checked = await run(subjects());
  const verdicts = verdictsOf(checked);
  for (const text of Object.keys(checks)) expect([text, verdicts.get(text)]).toEqual([text, "confirmed"]);
});

test("without them what needs them is not testable", async () => {
  const verdicts = verdictsOf(await run());
  expect(verdicts.get("an app lists only its own groups")).toBe("not testable");
  expect(verdicts.get("deleting a group leaves the contracts that were sold by it")).toBe("not testable");
});

test("an app without write_customers cannot be asked about its e-mails, and no customer gets any", async () => {
  const text =
    "an unknown payment method is refused: `Customer payment method does not exist`, without a code";
  await run(subjects());
  expect(store.updateEmails).toEqual([]);
  store.settings.scopes = [...requiredScopes];
  expect(verdictsOf(await run()).get(text)).toBe("not testable");
});

test("it leaves no group, and no contract that is not cancelled", async () => {
  await run(subjects());
  expect(store.planGroups()).toEqual([]);
  expect(store.contracts().length).toBeGreaterThan(0);
  expect(new Set(store.contracts().map(({ status }) => status))).toEqual(new Set(["CANCELLED"]));
});

describe("a store that behaves otherwise contradicts", () => {
  test("another version", async () => {
    store.settings.apiVersion = "2027-01";
    expect([...verdictsOf(await run())]).toContainEqual([
      "an answer names the version it was made by (`X-Shopify-API-Version`)",
      "contradicted",
    ]);
  });

  test("another code for an unknown product", async () => {
    store.refuse("sellingPlanGroupAddProducts", "NOT_FOUND");
    const text = "a product that does not exist is `PRODUCT_DOES_NOT_EXIST`";
    expect(
      verdictsOf(
        await run(
          {},
          assumptions.filter((one) => one.text === text),
        ),
      ).get(text),
    ).toBe("contradicted");
  });
});

test("a check that fails is not testable, and its records are cleaned up all the same", async () => {
  store.fail({ kind: "http500", on: "AddGroupProducts" });
  const verdicts = verdictsOf(await run());
  expect(verdicts.get("a product that does not exist is `PRODUCT_DOES_NOT_EXIST`")).toBe("not testable");
  expect(store.planGroups()).toEqual([]);
});

test("a store that customers buy at is refused, and nothing is created there", async () => {
  store.settings.isDevelopment = false;
  await expect(run()).rejects.toThrow("not a development store");
  expect(store.requests.map(({ operation }) => operation)).toEqual(["DevelopmentPlan"]);
});
