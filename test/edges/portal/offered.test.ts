/** No link of a page leads to a refusal, and each page has one main action. */
import { beforeEach, describe, expect, test } from "vitest";
import { states } from "../../domain/billing/upcoming-states.ts";
import { execute } from "../../support/database.ts";
import { addPlan, addReason, itemOf, openShop, type Shop, subscribe } from "../../support/shops.ts";
import { linked, shipNow, startClock, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop);
  await startClock(shop, "2030-01-31T10:00:00.000Z");
  visitor = openVisitor(worker, shop);
});

async function monthly(): Promise<string> {
  const plan = await addPlan(shop, { billing_interval: "MONTH", billing_interval_count: 1 });
  return linked(shop, worker, { next_delivery_date: "2030-02-03", lines: [itemOf(plan)] });
}

async function enter(): Promise<void> {
  await visitor.enter((await linkFor(worker, shop, { locale: "en" })).url);
}

async function mainOf(path: string): Promise<string> {
  const { text } = await visitor.get(path);
  return text.slice(text.indexOf("<main"), text.indexOf("</main>"));
}

/** The actions that a page links to, in its order. */
function actionsIn(html: string): string[] {
  return [...html.matchAll(/href="[^"]*\/subscriptions\/[\w-]+\/([\w-]+)"/g)].map(([, name = ""]) => name);
}

/** The actions of the filled buttons. */
function filledIn(html: string): string[] {
  return [...html.matchAll(/class="button" href="([^"]*)"/g)].map(
    ([, href = ""]) => href.split("/").at(-1) ?? "",
  );
}

/** The least that a form sends of these actions. None of their refusals would be about these values. */
const least: Record<string, Record<string, string>> = { skip: { count: "1" }, pause: {}, cancel: {} };

/** Follows each link of a page to an action, and sends its form where the least of it is known. */
async function expectNoRefusal(id: string, path: string): Promise<void> {
  for (const name of new Set(actionsIn(await mainOf(path)))) {
    const page = `/subscriptions/${id}/${name}`;
    expect([name, (await visitor.get(page)).status]).toEqual([name, 200]);
    const form = least[name];
    if (form) expect([name, (await visitor.post(page, form)).status]).toEqual([name, 200]);
  }
}

const ways: Record<string, () => Promise<string>> = {
  ...Object.fromEntries(
    Object.entries(states).map(([name, { enter }]) => [
      name,
      async () => {
        const id = await monthly();
        await enter({ shop, worker, id, days: 20, shipsNow: false });
        return id;
      },
    ]),
  ),
  "before the store has made its contract": () => subscribe(shop, { next_delivery_date: "2030-02-03" }),
  "just after a delivery was sent early": async () => {
    const id = await monthly();
    await shipNow(shop, worker, id);
    await worker.drain();
    return id;
  },
};

describe("no link of a page leads to a page that refuses", () => {
  test.each(Object.entries(ways))("%s", async (_, way) => {
    const id = await way();
    await enter();
    await expectNoRefusal(id, `/subscriptions/${id}`);
    await expectNoRefusal(id, "");
  });

  test("beyond the hourly limit of attempts it does not offer to pay", async () => {
    const id = await monthly();
    await states["in dunning"]!.enter({ shop, worker, id, days: 0, shipsNow: false });
    for (let nth = 0; nth < 5; nth++) {
      await worker.call(shop.api, "POST", `/api/subscriptions/${id}/retry-payment`);
      await worker.drain();
    }
    await enter();
    for (const path of ["", `/subscriptions/${id}`]) {
      const html = await mainOf(path);
      expect(html).toContain("The last payment failed");
      expect(actionsIn(html)).not.toContain("retry-payment");
    }
    await expectNoRefusal(id, `/subscriptions/${id}`);
  });

  test("a shop that asks for a reason offers to skip all the same, and not while a payment is being made", async () => {
    await addReason(shop, "skip");
    const id = await monthly();
    await enter();
    const path = `/subscriptions/${id}`;
    expect(actionsIn(await mainOf(path))).toContain("skip");
    await states["challenge open"]!.enter({ shop, worker, id, days: 0, shipsNow: false });
    for (const page of ["", path]) expect(actionsIn(await mainOf(page))).not.toContain("skip");
  });
});

test("nothing offers to charge a card that can no longer be charged, for the next delivery or for what is owed", async () => {
  const id = await monthly();
  const revoke = (status: string) =>
    execute("UPDATE payment_methods SET status = ? WHERE profile_id = ?", status, shop.profileId);
  await enter();
  const path = `/subscriptions/${id}`;
  expect(actionsIn(await mainOf(path))).toContain("ship-now");
  await revoke("REVOKED");
  expect(actionsIn(await mainOf(path))).not.toContain("ship-now");
  await revoke("VALID");
  await states["in dunning"]!.enter({ shop, worker, id, days: 0, shipsNow: false });
  for (const page of ["", path]) expect(actionsIn(await mainOf(page))).toContain("retry-payment");
  await revoke("REVOKED");
  for (const page of ["", path]) expect(actionsIn(await mainOf(page))).not.toContain("retry-payment");
});

test.each([
  ["out of retries", "After the payment"],
  ["PAUSED", "None"],
  ["PAUSED with a date", undefined],
  ["ACTIVE", undefined],
])(
  "%s: the next delivery can be moved where the page has one, and not where it says %s",
  async (state, none) => {
    const id = await monthly();
    await states[state]!.enter({ shop, worker, id, days: 20, shipsNow: false });
    await enter();
    const html = await mainOf(`/subscriptions/${id}`);
    expect(/<dt>Next delivery<\/dt><dd>([^<]+)/.exec(html)?.[1]).toBe(none);
    expect(actionsIn(html).includes("schedule")).toBe(none === undefined);
  },
);

describe("a page of a subscription has one main action, the first of all, where something has to be done", () => {
  test.each([
    ["in dunning", "retry-payment"],
    ["out of retries", "retry-payment"],
    ["PAUSED", "resume"],
    ["CANCELLED", "reactivate"],
  ])("%s: %s", async (state, action) => {
    const id = await monthly();
    await states[state]!.enter({ shop, worker, id, days: 20, shipsNow: false });
    await enter();
    const html = await mainOf(`/subscriptions/${id}`);
    expect(actionsIn(html)[0]).toBe(action);
    expect(filledIn(html)).toEqual([action]);
  });

  test("a page on which nothing has to be done has none", async () => {
    const id = await monthly();
    await enter();
    for (const path of ["", `/subscriptions/${id}`]) expect(filledIn(await mainOf(path))).toEqual([]);
  });

  test("a payment that waits for the customer is the main one", async () => {
    const id = await monthly();
    await states["challenge open"]!.enter({ shop, worker, id, days: 20, shipsNow: false });
    await enter();
    const html = await mainOf(`/subscriptions/${id}`);
    expect(filledIn(html)).toHaveLength(1);
    expect(html.indexOf('class="button" href="https://')).toBeLessThan(html.indexOf("<h1"));
  });

  test("cancelling is the last of all", async () => {
    const id = await monthly();
    await enter();
    expect(actionsIn(await mainOf(`/subscriptions/${id}`)).at(-1)).toBe("cancel");
  });
});

test("each fact that can be changed has the link that changes it beside it", async () => {
  const id = await monthly();
  await enter();
  const html = await mainOf(`/subscriptions/${id}`);
  for (const name of ["frequency", "address", "instructions", "payment-method"])
    expect(html).toMatch(
      new RegExp(`<dd>(?:[^<]|<(?!/dd))+</dd><dd class="change"><a href="[^"]*/${name}">Change<`),
    );
});
