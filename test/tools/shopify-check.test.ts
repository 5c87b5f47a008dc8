/** The check at a development store confirms, contradicts or names each assumption about Shopify. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { head } from "../../scripts/shopify-check/head.ts";
import { type Run, runCheck, type SectionResult } from "../../scripts/shopify-check/run.ts";
import { sectionNames } from "../../scripts/shopify-check/section-names.ts";
import { sections } from "../../scripts/shopify-check/sections.ts";
import {
  isGuess,
  parseAssumptions,
  withVerdicts,
  writeAssumptions,
} from "../../scripts/store-check/assumptions.ts";
import { assumptionsPage } from "../../scripts/store-check/page.ts";
import { hasFormOfOurs } from "../../src/domain/billing/own-keys.ts";
import { emailScope, optionalScopes, requiredScopes } from "../../src/stores/shopify/app/scopes.ts";
import { checkMark } from "../../src/stores/shopify/contracts/contract-input.ts";
import { type FakeShopify, fakeShopify, fetchOf, outcomes } from "../support/fake-shopify.ts";
import { resultsOf, testAssumptions } from "./store-check.ts";

const shop = "check.myshopify.com";
const file = parseAssumptions(readFileSync("scripts/shopify-check/assumptions.json", "utf8"), sectionNames);
let store: FakeShopify;
const clientCredentials = { status: 400 };
/** How often a sold contract's discounts were used, and when it is billed next. */
const soldWith = { used: 1, next: "" };
beforeEach(() => {
  store = fakeShopify({
    shop,
    token: "shpat_check",
    scopes: [...requiredScopes, ...optionalScopes, emailScope],
    points: { maximum: 100_000, restoreRate: 10_000 },
    taxRate: 0.19,
    usesTestGateway: true,
  });
  store.addPlanGroup({ isOurs: false, plans: [{}] });
  store.unknownProducts.add("gid://shopify/Product/1");
  clientCredentials.status = 400;
  Object.assign(soldWith, { used: 1, next: "2027-02-21T09:00:00Z" });
});

/** Runs sections, by default all of them, for a customer with a card. */
async function run(names: string[] = sections.map(({ name }) => name), more: Partial<Run> = {}) {
  const customer = store.addCustomer({ firstName: "Ada", phone: "+4930123456" });
  const paymentMethod = last(store.addPaymentMethod(customer));
  const soldContract = last(sell());
  await store.webhooks();
  return resultsOf<SectionResult>((onSection) =>
    runCheck({
      connection: { shop, token: "shpat_check", send: fetchOf(store) },
      sections: sections.filter(({ name }) => names.includes(name)),
      subjects: { customer: last(customer), variant: "41001", paymentMethod, soldContract },
      refusedGrantStatus: async () => clientCredentials.status,
      date: "2026-11-23",
      pauseMs: 0,
      onSection,
      ...more,
    }),
  );
}

/** A prepaid contract of the checkout, in another currency than the shop's, with a code and a discount. */
function sell(more: object = {}): string {
  store.settings.currencies = ["USD"];
  store.addCode("TEN", { percentage: 10, recurringCycleLimit: 0 });
  const sold = store.checkoutContract({
    customer: store.addCustomer(),
    currency: "USD",
    policy: { interval: "MONTH", intervalCount: 3 },
    deliveryPolicy: { interval: "MONTH", intervalCount: 1 },
    nextBillingDate: soldWith.next,
    codes: ["TEN"],
    lines: [
      {
        productVariantId: "gid://shopify/ProductVariant/41001",
        quantity: 1,
        currentPrice: "10.00",
        discounts: [{ title: "Off", value: { percentage: 5 } }],
      },
    ],
    ...more,
  });
  for (const discount of store.contract(sold).discounts) discount.used = soldWith.used;
  return sold;
}

/** The contracts that the check has made. */
function ownContracts() {
  return store.contracts().filter(({ originOrder }) => originOrder === null);
}

function last(id: string): string {
  return id.split("/").at(-1)!;
}

function mutations(): string[] {
  const written = Object.keys(Object.assign({}, ...sections.map(({ writes }) => writes)));
  const sent = store.requests.flatMap(({ operation }) => operation ?? []);
  return [...new Set(sent)].filter((name) => written.includes(name)).sort();
}

describe("the list of assumptions", () => {
  testAssumptions({ platform: "shopify", file, sections });

  test("shows a verdict with its note, its day and the version that answered", async () => {
    const { verdicts } = await run(["read"]);
    const page = assumptionsPage(head, { ...file, verdicts });
    expect(page).toContain("Checked by `read`: **confirmed** on 2026-11-23 by version 2026-10 (2026-10).");
    expect(page).toContain(
      "The newest verdict is of 2026-11-23: 7 confirmed, 0 contradicted, 0 not testable there.",
    );
  });
});

test("a run replaces the verdicts that it has reached, and keeps the others", () => {
  const verdict = { verdict: "confirmed", note: "", date: "2026-11-23", api_version: "2026-10" } as const;
  const once = withVerdicts(file, { "named-version": verdict, "own-groups": verdict });
  const again = withVerdicts(once, { "own-groups": { ...verdict, verdict: "contradicted" } });
  expect(parseAssumptions(writeAssumptions(again), sectionNames).verdicts).toEqual({
    "named-version": verdict,
    "own-groups": { ...verdict, verdict: "contradicted" },
  });
  expect(() => parseAssumptions(writeAssumptions(withUnknown(verdict)), sectionNames)).toThrow(
    "There is no assumption",
  );
});

function withUnknown(verdict: (typeof file)["verdicts"][string]) {
  return { ...file, verdicts: { "no-such-assumption": verdict } };
}

test("a guess that follows a source is one", () => {
  const sources = [
    "guess",
    "schema; the delay is a guess",
    "changelog: guess",
    "schema `Guesswork`",
    "changelog",
  ];
  expect(sources.map((source) => isGuess({ source }))).toEqual([true, true, true, false, false]);
});

describe("at the fake store", () => {
  test("every assumption that a section settles is confirmed, but for what the fake store does otherwise", async () => {
    const { verdicts } = await run();
    const others = Object.entries(verdicts).filter(([, { verdict }]) => verdict !== "confirmed");
    expect(others.map(([id, { verdict, note }]) => [id, verdict, note])).toEqual([
      ["address-spelling", "contradicted", "it is stored as it was sent, blanks included"],
      ["order-of-success", "not testable", "of 8 successes 0 had their order later, 0 never"],
    ]);
    expect(Object.keys(verdicts)).toHaveLength(file.assumptions.filter((one) => one.settled_by).length);
  });

  test("without a flag nothing is written", async () => {
    const { results } = await run(["read"]);
    expect(results.map(({ name }) => name)).toEqual(["read"]);
    expect(mutations()).toEqual([]);
    expect(await store.webhooks()).toEqual([]);
  });

  test.each(sections.map(({ name, writes }) => [name, Object.keys(writes).sort()] as const))(
    "the section %s sends the mutations that it announces, and no other",
    async (name, announced) => {
      await run([name]);
      expect(mutations()).toEqual(announced);
    },
  );

  test("it leaves no group, and no contract that is not cancelled or lacks the check's mark", async () => {
    const { results } = await run();
    expect(results.flatMap(({ left }) => left)).toEqual([]);
    expect(store.planGroups().filter(({ isOurs }) => isOurs)).toEqual([]);
    expect(ownContracts().length).toBeGreaterThan(10);
    for (const { status, customAttributes } of ownContracts())
      expect([status, customAttributes]).toEqual(["CANCELLED", [{ key: checkMark, value: "yes" }]]);
  });

  test("contracts are sent to the shop's own address, or to the one that was given", async () => {
    await run(["contracts"]);
    const cities = () =>
      ownContracts().map(({ deliveryMethod }) => deliveryMethod?.shipping?.address?.city?.trim());
    expect(new Set(cities())).toEqual(new Set(["Berlin"]));
    await run(["contracts"], {
      subjects: { customer: last(store.addCustomer()), variant: "41001", address: { city: "Bonn" } },
    });
    expect(new Set(cities())).toEqual(new Set(["Berlin", "Bonn"]));
  });
});

describe("a store that behaves otherwise contradicts", () => {
  test.each<[string, string, () => unknown]>([
    ["named-version", "read", () => Object.assign(store.settings, { apiVersion: "2027-01" })],
    ["topic-scopes", "read", () => Object.assign(store.settings, { scopes: [...requiredScopes] })],
    ["scopes-listed", "read", () => store.settings.scopes.splice(1, 1)],
    ["customer-data", "read", () => store.denied.add("customers")],
    ["refused-grants", "read", () => Object.assign(clientCredentials, { status: 401 })],
    ["usage-count", "checkout", () => Object.assign(soldWith, { used: 0 })],
    ["prepaid-next-date", "checkout", () => Object.assign(soldWith, { next: "2026-12-21T09:00:00Z" })],
    ["unknown-product", "plans", () => store.refuse("sellingPlanGroupAddProducts", "NONE", "NONE")],
    ["unknown-plan", "contracts", () => store.refuse("subscriptionContractAtomicCreate", "BLANK")],
    ["early-billing", "charge", () => Object.assign(store.settings, { refusesEarly: "always" })],
  ])("%s", async (id, section, change) => {
    change();
    expect((await run([section])).verdictOf(id)).toBe("contradicted");
  });
});

describe("what cannot be tested is said", () => {
  test("without another app, client credentials, taxes or customers", async () => {
    store.settings.taxRate = 0;
    store.removePlanGroup(store.planGroups()[0]!.id);
    const { verdicts } = await run(undefined, { refusedGrantStatus: undefined });
    const untested = Object.entries(verdicts).filter(([, { verdict }]) => verdict === "not testable");
    expect(Object.fromEntries(untested.map(([id, { note }]) => [id, note]))).toEqual({
      "refused-grants": "needs client credentials, which a token has not",
      "own-groups": "no other app has selling plan groups here",
      "other-groups": "no other app has selling plan groups here",
      "tax-rounding": "the store charges no tax at this address",
      "order-of-success": "of 7 successes 0 had their order later, 0 never",
    });
  });

  test("a section says what it needs, and writes nothing without it", async () => {
    const { verdicts } = await run(["contracts", "charge"], { subjects: { customer: "1" } });
    const notes = new Set(Object.values(verdicts).map(({ note }) => note));
    expect(notes).toEqual(new Set(["needs --variant", "needs --variant and --payment-method"]));
    expect(mutations()).toEqual([]);
  });

  test("a request that fails settles nothing, and the other checks go on", async () => {
    store.fail({ kind: "http500", on: "AddGroupProducts" });
    const { verdictOf, verdicts } = await run(["plans"]);
    expect(verdicts["other-groups"]).toMatchObject({ verdict: "not testable", note: "Shopify answered 500" });
    expect(verdictOf("unknown-product")).toBe("confirmed");
  });

  test("an app without write_customers cannot ask about e-mails, and no customer gets any", async () => {
    await run(["contracts"]);
    expect(store.updateEmails).toEqual([]);
    store.settings.scopes = [...requiredScopes];
    expect((await run(["contracts"])).verdictOf("unknown-method")).toBe("not testable");
  });
});

describe("charging", () => {
  test("stops after the first order if that is not of a test gateway", async () => {
    store.settings.usesTestGateway = false;
    const { verdicts } = await run(["charge"]);
    expect(store.charges).toHaveLength(1);
    const notes = new Set(Object.values(verdicts).map(({ verdict, note }) => `${verdict}: ${note}`));
    expect(notes).toEqual(
      new Set(["not testable: the first order is not of a test gateway: nothing further was charged"]),
    );
    expect(new Set(ownContracts().map(({ status }) => status))).toEqual(new Set(["CANCELLED"]));
  });

  test("stops if the first charge is declined", async () => {
    store.nextOutcomes(outcomes.payment("CARD_DECLINED"));
    const { verdicts } = await run(["charge"]);
    expect(store.charges).toEqual([]);
    expect(verdicts["price-per-unit"]).toMatchObject({ note: "the attempt is declined with card_declined" });
    expect(verdicts["early-billing"]).toMatchObject({
      note: "no order has shown that the gateway is a test's",
    });
  });

  test("takes keys that no deployment takes for its own", async () => {
    await run(["charge"]);
    expect(store.attempts.length).toBeGreaterThan(5);
    for (const { key } of store.attempts)
      expect([key.slice(0, 14), hasFormOfOurs(key)]).toEqual(["shopify-check-", false]);
  });

  test("waits for an attempt that is pending", async () => {
    store.nextOutcomes(outcomes.slow(3));
    expect((await run(["charge"])).verdictOf("price-per-unit")).toBe("confirmed");
  });
});

describe("cleaning up", () => {
  test("what a store refuses to delete is named, and costs no verdict", async () => {
    store.refuse("sellingPlanGroupDelete", "GROUP_DOES_NOT_EXIST");
    const { results, verdictOf } = await run(["plans", "contracts"]);
    expect(results.map(({ name, left }) => [name, left])).toEqual([
      ["plans", ["the selling plan group «Perennial check»: Refused: GROUP_DOES_NOT_EXIST"]],
      ["contracts", []],
    ]);
    expect(verdictOf("own-groups")).toBe("confirmed");
    expect(verdictOf("stale-drafts")).toBe("confirmed");
  });

  test("one contract that stays does not keep the others", async () => {
    const { results } = await run(["contracts"], {
      connection: { shop, token: "shpat_check", send: failingFirst("CancelContract", 2) },
    });
    const left = results.flatMap((result) => result.left);
    expect(left).toEqual([expect.stringMatching(/^the contract gid:.*: Shopify answered 500$/)]);
    expect(ownContracts().filter(({ status }) => status !== "CANCELLED")).toHaveLength(1);
  });
});

/** A store that fails at one of the requests of an operation. */
function failingFirst(operation: string, nth: number): typeof fetch {
  let seen = 0;
  return async (input, init) => {
    if (String(init?.body).includes(operation) && ++seen === nth)
      store.fail({ kind: "http500", on: operation });
    return fetchOf(store)(input, init);
  };
}

describe("a contract of the checkout", () => {
  test("that is not prepaid, in the shop's currency, without codes and discounts, settles nothing", async () => {
    const monthly = { interval: "MONTH", intervalCount: 1 } as const;
    const lines = [
      { productVariantId: "gid://shopify/ProductVariant/41001", quantity: 1, currentPrice: "10.00" },
    ];
    const soldContract = last(
      sell({ currency: "EUR", deliveryPolicy: monthly, policy: monthly, codes: [], lines }),
    );
    const { verdicts } = await run(["checkout"], { subjects: { soldContract } });
    expect(new Set(Object.values(verdicts).map(({ verdict }) => verdict))).toEqual(new Set(["not testable"]));
  });

  test("that was billed since settles nothing", async () => {
    const contract = store.contract(sell());
    await run(["charge"]);
    store.attempts[0]!.contract = contract;
    const { verdicts } = await run(["checkout"], { subjects: { soldContract: last(contract.id) } });
    expect(verdicts["usage-count"]).toMatchObject({ note: "the contract was billed since the checkout" });
  });
});

test("a mutation that no section has announced is not sent", async () => {
  const plans = sections.find(({ name }) => name === "plans");
  const silent = { ...plans!, writes: {} };
  const { verdictOf } = await run([], { sections: [silent] });
  expect(verdictOf("unknown-product")).toBe("not testable");
  expect(store.requests.map(({ operation }) => operation)).not.toContain("CreatePlanGroup");
});

test("a store that customers buy at is refused, and nothing is created there", async () => {
  store.settings.isDevelopment = false;
  await expect(run()).rejects.toThrow("not a development store");
  expect(store.requests.map(({ operation }) => operation)).toEqual(["DevelopmentPlan"]);
});
