/** An operation charges what its dry run says, and nothing where that says null, whatever happened before. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../support/records.ts";
import { type Json, on, read } from "../../support/shops.ts";
import { attemptsOf, later, linked, setClock, useShop } from "../../support/worker.ts";

const { shop, worker } = useShop();

/** An operation that may charge at once, with its body. */
type Charging = { method: "POST" | "PUT"; part: string; body?: object };

const cards = [
  "pm_success",
  "pm_card_declined",
  "pm_insufficient_funds",
  "pm_expired_card",
  "pm_requires_action",
  "pm_gateway_disabled",
];
const card = fc.constantFrom(...cards);

const charging: fc.Arbitrary<Charging> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Charging>({ method: "POST", part: "ship-now" }) },
  {
    weight: 2,
    arbitrary: fc.constant<Charging>({ method: "POST", part: "ship-now", body: { allow_repeat: true } }),
  },
  { weight: 4, arbitrary: fc.constant<Charging>({ method: "POST", part: "retry-payment" }) },
  {
    weight: 6,
    arbitrary: card.map(
      (store_payment_method_id): Charging => ({
        method: "PUT",
        part: "payment-method",
        body: { store_payment_method_id },
      }),
    ),
  },
);

/** Events that bring a subscription into another state between two such operations. */
const between = {
  nothing: async () => {},
  "the attempt runs": () => worker.drain(),
  "minutes pass": () => later(worker, 11 * 60),
  "an hour passes": () => later(worker, 3_601),
  "a day passes": () => later(worker, 86_401),
  "a week passes": () => later(worker, 7 * 86_401),
  "the price changes": async (id: string) => {
    const { lines } = await read(shop, id);
    const body = { price: Math.round(lines[0].price * 110) / 100 };
    await worker.call(shop.api, "PUT", on(id, `lines/${lines[0].id}`), { body });
  },
  pause: (id: string) => worker.call(shop.api, "POST", on(id, "pause")),
  resume: (id: string) => worker.call(shop.api, "POST", on(id, "resume")),
} satisfies Record<string, (id: string) => Promise<unknown>>;

type Between = keyof typeof between;
const step = fc.record({
  before: fc.constantFrom<Between>(...(Object.keys(between) as Between[])),
  runs: fc.boolean(),
  charging,
});

type Shown = { attemptId: string; following: string | null };

/** Once the attempt is paid, the next delivery is the one that the dry run of the request said would follow. */
async function expectFollowed(id: string, { attemptId, following }: Shown): Promise<void> {
  const attempt = (await attemptsOf(shop, id)).find((each) => each.id === attemptId);
  if (attempt.status !== "SUCCEEDED") return;
  expect((await read(shop, id)).next_delivery_date).toBe(following);
}

/**
 * The dry run, then the operation: the attempt that this has started is what the dry run said, or none where that was null. Returns what
 * the dry run of a request to bill said of the delivery that follows.
 */
async function compare(id: string, { method, part, body }: Charging): Promise<Shown | undefined> {
  const ask = (dry_run: boolean) =>
    worker.call<Json>(shop.api, method, on(id, part), { ...(body ? { body } : {}), query: { dry_run } });
  const known = new Set((await attemptsOf(shop, id)).map((attempt) => attempt.id));
  const dry = await ask(true);
  const real = await ask(false);
  expect([dry.status, dry.body.errorCode]).toEqual([real.status, real.body.errorCode]);
  const started = (await attemptsOf(shop, id)).filter((attempt) => !known.has(attempt.id));
  if (real.status !== 200 || dry.body.dry_run === null) {
    expect(started).toEqual([]);
    return undefined;
  }
  const [attempt, ...others] = started;
  expect(others).toEqual([]);
  expect(real.body.billing_attempt_id).toBe(attempt.id);
  const names = Object.keys(dry.body.dry_run);
  expect(names).toEqual(expect.arrayContaining(["amount", "currency_code", "cycle", "billing_date"]));
  expect(dry.body.dry_run).toEqual(Object.fromEntries(names.map((name) => [name, attempt[name]])));
  const { following_delivery_date: following } = dry.body;
  return following === undefined ? undefined : { attemptId: attempt.id, following };
}

test("whatever happened before, an operation charges what its dry run says, and nothing where that says null", {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(card, fc.array(step, { minLength: 2, maxLength: 9 }), async (first, steps) => {
      setClock(Date.now());
      const id = await linked(shop, worker, { store_payment_method_id: first });
      for (const { before, runs, charging } of steps) {
        await between[before](id);
        const shown = await compare(id, charging);
        if (runs) await worker.drain();
        if (runs && shown) await expectFollowed(id, shown);
      }
    }),
    seeded(20),
  );
});
