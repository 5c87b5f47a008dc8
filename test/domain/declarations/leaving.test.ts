/** Whoever declares without signing in that a contract ends has a receipt at once, and is charged no more from the day on. */
import { describe, expect, test } from "vitest";
import { fieldsIn, linkFor, openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { api, type Caller, origin } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { addPlan, entriesOf, itemOf, type Json, on, read, type Shop } from "../../support/shops.ts";
import {
  advance,
  linked,
  openWorker,
  ordersOf,
  setClock,
  startClock,
  useWorker,
} from "../../support/worker.ts";
import { declarationsOf, declare, openWithCustomer } from "./declaring.ts";

const worker = useWorker();

describe("a cancellation", () => {
  test("of the only subscription of an address is carried out at once, and acknowledged by one mail with the date", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    const { read: readBack, received } = await declare(worker, shop, { email });
    expect([readBack.status, received.status]).toEqual([200, 200]);
    expect(readBack.text).toContain(email);
    expect(received.text).toContain("Received on");
    expect(await declarationsOf(shop)).toMatchObject([
      { kind: "cancellation", status: "TO_DO", matched_subscription_ids: [], effective_on: null },
    ]);
    await worker.drain();
    expect(await declarationsOf(shop)).toMatchObject([
      {
        status: "CARRIED_OUT",
        matched_subscription_ids: [id],
        effective_on: "2030-01-01",
        given: { email, name: "Ada Lovelace", number: null, from: null, grounds: "ordinary", reason: null },
      },
    ]);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
    const { body } = await api<Json>(shop.api, "GET", "/api/mails");
    const sent = body.data.filter(({ status }: Json) => status === "SENT");
    expect(sent.map(({ kind, to }: Json) => [kind, to])).toContainEqual(["declaration", email]);
    expect(sent.filter(({ kind }: Json) => kind === "changed")).toEqual([]);
  });

  test("from a later day on ends on it, and charges until then", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email, from: "date", date: "2030-02-10" });
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", ends_on: "2030-02-10" });
    expect(await declarationsOf(shop)).toMatchObject([{ status: "CARRIED_OUT", effective_on: "2030-02-10" }]);
    await advance(shop, worker, 60);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
    expect((await ordersOf(shop, id)).every(({ created_at }) => created_at < "2030-02-10")).toBe(true);
  });

  test("that comes five times at once, each with an earlier day, ends on the earliest, and none is left for a retry", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    const days = ["2030-06-10", "2030-05-10", "2030-04-10", "2030-03-10", "2030-02-10"];
    for (const date of days) await declare(worker, shop, { email, from: "date", date });
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", ends_on: days.at(-1) });
    const states = (await declarationsOf(shop)).map(({ status }) => status);
    expect(states).toEqual(days.map(() => "CARRIED_OUT"));
  });

  test("before the minimum is over ends with its last cycle", async () => {
    const { shop: its, id, email } = await openWithCustomer(worker);
    const min = await addPlan(its, { min_cycles: 2, billing_interval: "MONTH" });
    await api(its.api, "POST", `/api/subscriptions/${id}/cancel`);
    const answer = await api<Json>(its.api, "POST", "/api/subscriptions", {
      body: {
        profile_id: its.profileId,
        store_payment_method_id: "pm_success",
        next_delivery_date: "2030-01-10",
        lines: [itemOf(min, { price: 10 })],
      },
    });
    const [second] = answer.body.ids;
    await worker.drain();
    await declare(worker, its, { email });
    await worker.drain();
    expect(await read(its, second)).toMatchObject({ status: "ACTIVE", ends_after_cycle: 2 });
    expect(await declarationsOf(its)).toMatchObject([{ status: "CARRIED_OUT", effective_on: "2030-02-10" }]);
    await advance(its, worker, 90);
    expect(await read(its, second)).toMatchObject({ status: "CANCELLED" });
    expect(await ordersOf(its, second)).toHaveLength(2);
  });

  test("by number finds the subscription of an order, with its sign and in any case", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    const { number } = await read(shop, id);
    await declare(worker, shop, { email: email.toUpperCase(), number: ` # ${number}` });
    await worker.drain();
    expect(await declarationsOf(shop)).toMatchObject([
      { status: "CARRIED_OUT", matched_subscription_ids: [id] },
    ]);
  });

  test("that fits nothing, or is of an account without mails, waits for staff", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email: "stranger@example.com" });
    await declare(worker, shop, { email, number: "999999" });
    await worker.call(shop.api, "PUT", "/api/account/mail", { body: { is_enabled: false } });
    await declare(worker, shop, { email });
    await worker.drain();
    const found = await declarationsOf(shop, { status: "TO_DO" });
    expect(found.map(({ matched_subscription_ids: ids }) => ids)).toEqual([[id], [], []]);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE" });
  });
});

describe("a cancellation whose job comes late", () => {
  /** Declares, and loses the message: the job is done by the sweep. */
  const declareLate = async () => {
    const opened = await openWithCustomer(worker);
    await declare(worker, opened.shop, { email: opened.email });
    worker.forget();
    return opened;
  };
  const sweep = async ({ of }: Shop) => {
    const at = Date.now() + 120_000;
    setClock(at);
    await openWorker({}, of.account.id).tick(at);
  };
  const again = async (caller: Caller, id: string) => {
    for (const verb of ["cancel", "reactivate"])
      expect((await api(caller, "POST", on(id, verb))).status, verb).toBe(200);
  };

  test("ends no subscription that its customer has started again since: that takes it back", async () => {
    const { shop, id } = await declareLate();
    await switchOn(worker, shop);
    await again(shop.customer, id);
    await sweep(shop);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", ends_on: null });
    expect(await declarationsOf(shop)).toMatchObject([
      { status: "TAKEN_BACK", matched_subscription_ids: [id], effective_on: null },
    ]);
    const { body } = await api<Json>(shop.api, "GET", "/api/mails");
    const mail = body.data.find(({ kind }: Json) => kind === "declaration");
    const shown = await api<Json>(shop.api, "GET", `/api/mails/${mail.id}/content`);
    expect(shown.text).toContain("It no longer counts: you have started your subscription again since.");
  });

  test("nor one whose cancellation they have undone since", async () => {
    const { shop, id } = await declareLate();
    await switchOn(worker, shop);
    await api(shop.customer, "POST", on(id, "cancel"));
    const [cancelled] = await select<{ id: string }>(
      "SELECT id FROM activity_logs WHERE loggable_id = ? AND action = 'subscription_cancelled'",
      id,
    );
    const undone = await api(shop.customer, "POST", on(id, "undo"), { body: { entry_id: cancelled!.id } });
    expect(undone.status).toBe(200);
    await sweep(shop);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE" });
    expect(await declarationsOf(shop)).toMatchObject([{ status: "TAKEN_BACK" }]);
  });

  test("is left to staff where it was they who started it again", async () => {
    const { shop, id } = await declareLate();
    await again(shop.api, id);
    await sweep(shop);
    expect(await read(shop, id)).toMatchObject({ status: "ACTIVE", ends_on: null });
    expect(await declarationsOf(shop)).toMatchObject([{ status: "TO_DO", matched_subscription_ids: [id] }]);
  });

  test("means no subscription that began only afterwards", async () => {
    const { shop, id } = await declareLate();
    await api(shop.api, "POST", on(id, "cancel"));
    await startClock(shop, "2030-01-01T12:01:00.000Z");
    const later = await linked(shop, worker, { store_payment_method_id: "pm_success" });
    await sweep(shop);
    expect(await read(shop, later)).toMatchObject({ status: "ACTIVE", ends_on: null });
    expect(await declarationsOf(shop)).toMatchObject([{ status: "TO_DO", matched_subscription_ids: [] }]);
  });

  test("ends a subscription that was started again before it was declared", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await switchOn(worker, shop);
    await again(shop.customer, id);
    await declare(worker, shop, { email });
    await worker.drain();
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
  });

  test("is a withdrawal all the same: the refund is owed", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email }, "withdraw");
    worker.forget();
    await switchOn(worker, shop);
    await again(shop.customer, id);
    await sweep(shop);
    expect(await declarationsOf(shop)).toMatchObject([{ status: "TO_DO", matched_subscription_ids: [id] }]);
  });
});

test("a withdrawal waits for staff, who answer it once; customers see nothing of it", async () => {
  const { shop, id, email } = await openWithCustomer(worker);
  await declare(worker, shop, { email }, "withdraw");
  await worker.drain();
  const [declared] = await declarationsOf(shop, { kind: "withdrawal" });
  expect(declared).toMatchObject({ kind: "withdrawal", status: "TO_DO", matched_subscription_ids: [id] });
  const path = `/api/declarations/${declared.id}`;
  expect((await api(shop.customer, "GET", path)).status).toBe(403);
  const body = { status: "CARRIED_OUT", note: "Refunded" };
  expect((await api(shop.customer, "PUT", path, { body })).status).toBe(403);
  expect((await api<Json>(shop.api, "PUT", path, { body })).body.data).toMatchObject(body);
  expect((await api(shop.api, "PUT", path, { body: { status: "ANSWERED" } })).status).toBe(409);
  expect(await read(shop, id)).toMatchObject({ status: "ACTIVE" });
});

describe("this was not me", () => {
  const linkIn = async (shop: Awaited<ReturnType<typeof openWithCustomer>>["shop"]): Promise<string> => {
    const { body } = await api<Json>(shop.api, "GET", "/api/mails");
    const mail = body.data.find(({ kind }: Json) => kind === "declaration");
    const shown = await api<Json>(shop.api, "GET", `/api/mails/${mail.id}/content`);
    return /\/portal\/[^\s"]+not-me\/[\w.-]+/.exec(JSON.stringify(shown.body))?.[0] ?? "";
  };

  test("one click restores the subscription, also where its next date has passed; a GET does nothing", async () => {
    const { shop, id, email } = await openWithCustomer(worker, { next_delivery_date: "2030-01-03" });
    await declare(worker, shop, { email });
    await worker.drain();
    const link = await linkIn(shop);
    await advance(shop, worker, 4);
    const visitor = openVisitor(worker, shop);
    expect((await visitor.get(link)).status).toBe(200);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
    expect((await visitor.post(link)).status).toBe(200);
    const restored = await read(shop, id);
    expect(restored).toMatchObject({ status: "ACTIVE", cancelled_at: null });
    expect(restored.next_delivery_date > "2030-01-05").toBe(true);
    expect((await visitor.post(link)).status).toBe(200);
    expect(await declarationsOf(shop)).toMatchObject([{ status: "TAKEN_BACK" }]);
    expect(
      (await entriesOf(id)).filter(({ action }) => action === "subscription_change_undone"),
    ).toHaveLength(1);
  });

  test("a later end is taken back before it comes, and after", async () => {
    for (const days of [1, 4]) {
      const { shop, id, email } = await openWithCustomer(worker);
      await declare(worker, shop, { email, from: "date", date: "2030-01-04" });
      await worker.drain();
      const link = await linkIn(shop);
      await advance(shop, worker, days);
      const visitor = openVisitor(worker, shop);
      expect((await visitor.post(link)).status).toBe(200);
      expect(await read(shop, id)).toMatchObject({
        status: "ACTIVE",
        ends_on: null,
        next_billing_date: "2030-01-10",
      });
    }
  });

  test("a made-up link is no page, and after 7 days nothing is taken back", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email });
    await worker.drain();
    const link = await linkIn(shop);
    const visitor = openVisitor(worker, shop);
    expect((await visitor.get(`${link.slice(0, -4)}0000`)).status).toBe(404);
    await advance(shop, worker, 8);
    expect((await visitor.post(link)).status).toBe(409);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
  });
});

describe("bounds", () => {
  test("of the same content within an hour there is one", async () => {
    const { shop, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email, number: "1" });
    await declare(worker, shop, { email: email.toUpperCase(), number: "#1" });
    expect(await declarationsOf(shop)).toHaveLength(1);
  });

  test("of one that says something else, or whose end is over again, what was confirmed within the hour is there too", async () => {
    const { shop, id, email } = await openWithCustomer(worker);
    await declare(worker, shop, { email, from: "date", date: "2030-02-10" });
    await declare(worker, shop, { email });
    await worker.drain();
    expect(await declarationsOf(shop)).toHaveLength(2);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
    await api(shop.api, "POST", `/api/subscriptions/${id}/reactivate`);
    await declare(worker, shop, { email });
    await worker.drain();
    expect(await declarationsOf(shop)).toHaveLength(3);
    expect(await read(shop, id)).toMatchObject({ status: "CANCELLED" });
  });

  test("of one address five an hour are mailed and carried out, and all are stored", async () => {
    const { shop, email } = await openWithCustomer(worker);
    for (const number of ["a", "b", "c", "d", "e"]) await declare(worker, shop, { email, number });
    const { received } = await declare(worker, shop, { email });
    expect(received.status).toBe(200);
    await worker.drain();
    expect(await declarationsOf(shop, { status: "TO_DO" })).toHaveLength(6);
    const { body } = await api<Json>(shop.api, "GET", "/api/mails");
    const mails = body.data.filter(({ kind }: Json) => kind === "declaration");
    expect(mails.map(({ status }: Json) => status).sort()).toEqual([...Array(5).fill("SENT"), "SUPPRESSED"]);
  });

  test("from one net address the 31st first step of an hour is 429 for all, and what is confirmed is taken", async () => {
    const { shop, email } = await openWithCustomer(worker);
    const visitor = openVisitor(worker, shop);
    const headers = { "CF-Connecting-IP": "192.0.2.1", Origin: origin };
    for (let n = 0; n < 30; n++)
      expect((await visitor.post("/leave", { email: `x${n}@example.com`, name: "X" }, headers)).status).toBe(
        200,
      );
    for (const to of [email, "y@example.com"]) {
      const refused = await visitor.post("/leave", { email: to, name: "X" }, headers);
      expect(refused.status).toBe(429);
      expect(refused.text).toContain(shop.of.account.shop);
    }
    expect((await visitor.post("/leave", { email, name: "X", confirm: "1" }, headers)).status).toBe(200);
    expect(await declarationsOf(shop)).toHaveLength(1);
  });
});

test("the pages are there while the portal is off, and linked from where customers are", async () => {
  const { shop } = await openWithCustomer(worker);
  const visitor = openVisitor(worker, shop);
  expect((await visitor.get("")).status).toBe(404);
  for (const page of ["/leave", "/withdraw"]) expect((await visitor.get(page)).status).toBe(200);
  await switchOn(worker, shop);
  const signIn = await visitor.get("");
  for (const page of ["/leave", "/withdraw"]) expect(signIn.text).toContain(`${visitor.base}${page}`);
  await visitor.enter((await linkFor(worker, shop)).url);
  expect((await visitor.get("")).text).toContain(`${visitor.base}/leave`);
  const { body } = await api<Json>(shop.customer, "GET", "/api/portal/settings");
  expect(body.data.leave_url).toContain(`${visitor.base}/leave`);
});

test("strangers and customers read the same words, but for what they typed", async () => {
  const { shop, email } = await openWithCustomer(worker);
  const one = await declare(worker, shop, { email });
  const other = await declare(worker, shop, { email: "q@example.com" });
  const plain = (html: string, address: string) =>
    html.replaceAll(address, "EMAIL").replaceAll(/value="[^"]*"/g, "");
  expect(plain(one.received.text, email)).toBe(plain(other.received.text, "q@example.com"));
});

test("the receipt is a text file with the same words", async () => {
  const { shop, email } = await openWithCustomer(worker);
  const { visitor, received } = await declare(worker, shop, { email, grounds: "cause", reason: "Broken" });
  const file = await visitor.post("/leave/receipt", fieldsIn(received.text, `${visitor.base}/leave/receipt`));
  expect(file.headers.get("Content-Type")).toContain("text/plain");
  for (const text of [email, "Ada Lovelace", "Broken", "Received on"]) expect(file.text).toContain(text);
});

test.each([
  ["de", "Verträge hier kündigen", "Jetzt kündigen"],
  ["en", "Cancel contracts here", "Cancel now"],
  ["fr", "Résilier votre contrat", "Notifier la résiliation"],
  ["es", "Cancelar contratos aquí", "Cancelar ahora"],
])("in %s the pages have the words of the law", async (language, first, second) => {
  const { shop, email } = await openWithCustomer(worker);
  const visitor = openVisitor(worker, shop);
  const headers = { "Accept-Language": language };
  expect((await visitor.get("/leave", headers)).text).toContain(first);
  const form = { email, name: "Ada" };
  expect((await visitor.post("/leave", form, { ...headers, Origin: origin })).text).toContain(second);
});
