/** The check at an account in test mode confirms, contradicts or names each assumption about Stripe. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { parseAssumptions } from "../../scripts/store-check/assumptions.ts";
import { messageOf } from "../../scripts/store-check/outcome.ts";
import { type Run, runCheck, type SectionResult } from "../../scripts/stripe-check/run.ts";
import { sections } from "../../scripts/stripe-check/sections.ts";
import { type FakeStripe, newFakeStripe, outcomes } from "../support/fake-stripe.ts";
import { resultsOf, testAssumptions } from "./store-check.ts";

const file = parseAssumptions(
  readFileSync("scripts/stripe-check/assumptions.json", "utf8"),
  sections.map(({ name }) => name),
);
let fake: FakeStripe;
beforeEach(() => {
  fake = newFakeStripe();
});

/** Runs sections, by default all of them. A second passes at the account with each request. */
async function run(names: string[] = sections.map(({ name }) => name), more: Partial<Run> = {}) {
  return resultsOf<SectionResult>((onSection) =>
    runCheck({
      connection: {
        secretKey: "sk_test_fake",
        send(request) {
          fake.advance(1000);
          return fake.fetch(request);
        },
      },
      sections: sections.filter(({ name }) => names.includes(name)),
      date: "2026-11-26",
      runId: crypto.randomUUID(),
      pauseMs: 0,
      onSection,
      ...more,
    }),
  );
}

describe("the list of assumptions", () => {
  testAssumptions({ platform: "stripe", file, sections });

  test("shows no id of a record, because verdicts are published", () => {
    const message = "No such payment_intent: 'pi_3QxYz0AbCdEf1234GhIjKlMn' of cus_RabcDEF1234567";
    expect(messageOf(new Error(message))).toBe("No such payment_intent: 'pi_…' of cus_…");
    expect(messageOf(new Error("payment_intent_unexpected_state"))).toBe("payment_intent_unexpected_state");
  });
});

describe("at the fake account", () => {
  test("every assumption that a part settles is confirmed, but for what takes two requests at one time", async () => {
    const { verdicts } = await run();
    const others = Object.entries(verdicts).filter(([, { verdict }]) => verdict !== "confirmed");
    expect(others.map(([id, { verdict, note }]) => [id, verdict, note])).toEqual([
      ["key-in-use", "not testable", "each of four requests at once found the first one done"],
    ]);
    expect(Object.keys(verdicts)).toHaveLength(file.assumptions.filter((one) => one.settled_by).length);
  });

  test("nothing is left but payments: customers and endpoints are deleted, intents that wait are cancelled", async () => {
    const { results } = await run();
    expect(results.flatMap(({ left }) => left)).toEqual([]);
    expect(fake.endpoints()).toEqual([]);
    expect(fake.customers()).toEqual([]);
    const states = new Set(fake.intents().map(({ status }) => status));
    expect(states).toEqual(new Set(["succeeded", "canceled"]));
  });

  test("the part account writes nothing", async () => {
    await run(["account"]);
    expect(fake.events).toEqual([]);
  });

  test("a key that is in use is a conflict where requests do meet", async () => {
    const arrived = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let sent = 0;
    /** The first of the requests is under way until one of the others has been answered. */
    const meeting = async (request: Request): Promise<Response> => {
      if (!request.headers.get("Idempotency-Key")?.endsWith("twice")) return fake.fetch(request);
      if (sent++ > 0) {
        await arrived.promise;
        return fake.fetch(request).finally(refused.resolve);
      }
      fake.fail({ kind: "timeout", effect: "late" });
      await fake.fetch(request.clone()).catch(arrived.resolve);
      await refused.promise;
      fake.arriveLate();
      return fake.fetch(request);
    };
    const connection = { secretKey: "sk_test_fake", send: meeting };
    const { verdicts } = await run(["idempotency"], { connection });
    expect(verdicts["key-in-use"]).toMatchObject({ verdict: "confirmed" });
  });
});

describe("an account that behaves otherwise contradicts", () => {
  /** Answers a request of an operation otherwise. */
  const answering = (path: RegExp, change: (body: Record<string, unknown>) => unknown): Partial<Run> => ({
    connection: {
      secretKey: "sk_test_fake",
      async send(request) {
        fake.advance(1000);
        const url = new URL(request.url);
        const answer = await fake.fetch(request);
        if (!path.test(`${request.method} ${url.pathname}`)) return answer;
        const { status, headers } = answer;
        const changed = change((await answer.json()) as Record<string, unknown>);
        return new Response(JSON.stringify(changed), { status, headers });
      },
    },
  });

  test.each<[string, string, () => Partial<Run> | undefined]>([
    [
      "named-version",
      "account",
      () => ({
        connection: {
          secretKey: "sk_test_fake",
          async send(request) {
            const answer = await fake.fetch(request);
            answer.headers.set("Stripe-Version", "2027-01-01.fig");
            return answer;
          },
        },
      }),
    ],
    ["own-account", "account", () => answering(/\/account$/, () => ({ object: "account" }))],
    [
      "key-replays",
      "idempotency",
      () => answering(/POST .*\/payment_intents$/, (body) => ({ ...body, id: `pi_${Math.random()}` })),
    ],
    [
      "unconfirmed-intent",
      "payments",
      () => answering(/POST .*_intents$/, (body) => ({ ...body, status: "succeeded" })),
    ],
    [
      "listed-at-once",
      "payments",
      () => answering(/GET .*\/payment_intents$/, (body) => ({ ...body, data: [] })),
    ],
    ["events-of-a-refund", "webhooks", () => answering(/GET .*\/events$/, (body) => ({ ...body, data: [] }))],
  ])("%s", async (id, section, change) => {
    expect((await run([section], change())).verdictOf(id)).toBe("contradicted");
  });

  test("a decline that has another code than the documentation's is named", async () => {
    const { verdicts } = await run(["payments"], {
      connection: {
        secretKey: "sk_test_fake",
        async send(request) {
          fake.advance(1000);
          const text = await request.clone().text();
          if (text.includes("chargeDeclinedLostCard")) fake.nextOutcomes(outcomes.decline("stolen_card"));
          return fake.fetch(request);
        },
      },
    });
    expect(verdicts["decline-codes"]).toMatchObject({
      verdict: "contradicted",
      note: "pm_card_visa_chargeDeclinedLostCard: card_declined/stolen_card",
    });
  });
});

describe("a run", () => {
  test.each(["sk_live_fake", "rk_live_fake", "pk_test_fake", ""])(
    "with the key %j sends nothing",
    async (secretKey) => {
      const connection = { secretKey, send: (request: Request) => fake.fetch(request) };
      await expect(run(undefined, { connection })).rejects.toThrow("The key is not of test mode");
      expect(fake.requests).toEqual([]);
    },
  );

  test("with a key of nobody ends at once", async () => {
    const connection = { secretKey: "sk_test_nobody", send: (request: Request) => fake.fetch(request) };
    await expect(run(undefined, { connection })).rejects.toThrow("401 invalid_request_error");
  });

  test("waits where it is throttled", async () => {
    fake.fail({ kind: "http429", times: 3 });
    expect((await run(["account"])).verdictOf("own-account")).toBe("confirmed");
  });

  test("says what a request that fails leaves untested, and goes on", async () => {
    fake.fail({ kind: "http500", on: "accounts.retrieve" });
    const { verdicts } = await run(["account"]);
    expect(verdicts["own-account"]).toMatchObject({ verdict: "not testable" });
    expect(verdicts["unknown-parameters"]).toMatchObject({ verdict: "confirmed" });
  });

  test("names what could not be cleaned up, which costs no verdict", async () => {
    fake.fail({ kind: "http500", on: "webhook_endpoints.delete" });
    const { results, verdictOf } = await run(["webhooks"]);
    expect(results[0]?.left).toEqual([expect.stringMatching(/^the webhook endpoint: 500 api_error/)]);
    expect(verdictOf("secret-shown-once")).toBe("confirmed");
  });
});
