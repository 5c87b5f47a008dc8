/** A case shows its offers, takes effect once when one is accepted, and never keeps anybody from leaving. */
import { describe, expect, test } from "vitest";
import { readAccount } from "../../../src/base/accounts/queries.ts";
import { newId } from "../../../src/base/lib/ids.ts";
import { erasePersonalData } from "../../../src/domain/privacy/erase-personal-data.ts";
import { api } from "../../support/client.ts";
import { ctxOn } from "../../support/ctx.ts";
import { execute, testDb } from "../../support/database.ts";
import {
  actionsOf,
  addPlan,
  addReason,
  customerOf,
  done,
  entriesOf,
  force,
  inDays,
  itemOf,
  type Json,
  on,
  openShop,
  read,
  refusal,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useAccountPerTest } from "../../support/use-account.ts";
import {
  accept,
  caseRows,
  casesOf,
  confirm,
  everyOffer,
  expire,
  type Kind,
  kinds,
  offers,
  open,
  openCase,
  opened,
  putFlow,
  setFlow,
  take,
  taking,
} from "./leaving.ts";

const shop = useAccountPerTest();

async function settings(body: object): Promise<void> {
  await api(shop.api, "PUT", "/api/account/portal", { body });
}

describe("a case", () => {
  test("has the offers that are meant for it, each with what it would do, and one entry of the history", async () => {
    const reason = await addReason(shop, "cancellation", { label: "Too dear" });
    await setFlow(
      shop,
      [
        { ...offers.PAUSE, cancellation_reason_ids: [await addReason(shop, "cancellation")] },
        { ...offers.SKIP, min_cycles_billed: 1 },
        { ...offers.DISCOUNT, cancellation_reason_ids: [reason] },
        { ...offers.FREQUENCY, store_variant_ids: ["variant-9"] },
        { ...offers.SWAP, selling_plan_ids: [shop.plan] },
      ],
      { show_at_most: 5 },
    );
    const id = await subscribe(shop);
    const before = await read(shop, id);
    const { status, body } = await open(shop.customer, id, {
      cancellation_reason_id: reason,
      note: "I found a cheaper one",
    });
    expect(status).toBe(201);
    const { data } = body;
    expect(data).toMatchObject({
      subscription_id: id,
      status: "OPEN",
      cancellation_reason_id: reason,
      note: "I found a cheaper one",
      accepted_offer_id: null,
      outcome: null,
    });
    expect(Date.parse(data.expires_at) - Date.parse(data.created_at)).toBe(86_400_000);
    const state = {
      status: "ACTIVE",
      next_billing_date: before.next_billing_date,
      next_delivery_date: before.next_delivery_date,
      total: 10,
      frequency_label: "Every week",
    };
    const charge = { date: before.next_billing_date, amount: 10 };
    expect(data.offers).toMatchObject([
      {
        kind: "DISCOUNT",
        label: offers.DISCOUNT.label,
        terms: offers.DISCOUNT.terms,
        preview: {
          before: state,
          after: { ...state, total: 8 },
          next_charge_before: charge,
          next_charge_after: { ...charge, amount: 8 },
          saves: 2,
        },
      },
      {
        kind: "SWAP",
        preview: {
          before: state,
          after: { ...state, total: 8 },
          next_charge_before: charge,
          next_charge_after: { ...charge, amount: 8 },
          saves: 2,
        },
      },
    ]);
    expect(await read(shop, id)).toEqual(before);
    const started = (await entriesOf(id)).at(-1)!;
    expect(started).toMatchObject({
      action: "cancellation_started",
      actor_type: "customer",
      metadata: {
        cancellation_case_id: data.id,
        cancellation_reason: { id: reason, label: "Too dear" },
        offers: [{ kind: "DISCOUNT" }, { kind: "SWAP" }],
      },
    });
    expect(JSON.stringify(started.metadata)).not.toContain("cheaper");
    expect(await casesOf(shop, id)).toEqual([data]);
    expect((await api<Json>(shop.customer, "GET", on(id, `cancellations/${data.id}`))).body.data).toEqual(
      data,
    );
  });

  test("shows so many offers as the flow says, the first that the state allows", async () => {
    await setFlow(shop, everyOffer);
    const id = await subscribe(shop);
    const kindsOf = ({ offers: shown }: Json) => shown.map(({ kind }: Json) => kind);
    expect(kindsOf(await opened(shop.api, id))).toEqual(["PAUSE", "SKIP"]);
    const paused = await subscribe(shop);
    await done(shop.api, "POST", paused, "pause", {});
    expect(kindsOf(await opened(shop.api, paused))).toEqual(["DISCOUNT", "FREQUENCY"]);
  });

  test("previews a pause and a skip with the charge that follows them", async () => {
    await setFlow(shop, [offers.PAUSE, offers.SKIP]);
    const id = await subscribe(shop);
    const { next_billing_date } = await read(shop, id);
    const [pause, skip] = (await opened(shop.api, id)).offers;
    const { before, after, next_charge_before, next_charge_after, saves } = pause.preview;
    expect([before.status, after.status, next_charge_before.date, saves]).toEqual([
      "ACTIVE",
      "PAUSED",
      next_billing_date,
      null,
    ]);
    const paused = await done(shop.api, "POST", id, "pause", { pause_until: await inThirtyDays() });
    const upcoming = await api<Json>(shop.api, "GET", on(id, "upcoming"), { query: { count: 1 } });
    expect(next_charge_after).toEqual({ date: upcoming.body.data[0].billing_date, amount: 10 });
    await done(shop.api, "POST", id, "resume", {});
    expect(paused.status).toBe("PAUSED");
    expect(skip.preview.next_charge_after.date).toBe(skip.preview.after.next_billing_date);
    const days = Date.parse(skip.preview.after.next_billing_date) - Date.parse(next_billing_date);
    expect(days).toBe(14 * 86_400_000);
  });

  test("of a flow that is off has no offers; a second POST answers the open case, with 200; an expired one makes room", async () => {
    await setFlow(shop, [offers.PAUSE], { is_enabled: false });
    const id = await subscribe(shop);
    const first = await opened(shop.api, id);
    expect(first.offers).toEqual([]);
    await putFlow(shop, {});
    const again = await open(shop.customer, id, { note: "Other" });
    expect([again.status, again.body.data]).toEqual([200, first]);
    await expire(id);
    expect((await casesOf(shop, id)).map(({ status }) => status)).toEqual(["EXPIRED"]);
    const second = await open(shop.customer, id);
    expect([second.status, second.body.data.offers.length]).toEqual([201, 1]);
    expect((await caseRows(id)).map(({ status }) => status)).toEqual(["EXPIRED", "OPEN"]);
    expect(await actionsOf(id)).toEqual([
      "subscription_created",
      "cancellation_started",
      "cancellation_started",
    ]);
  });

  test("is one, however many open it at once", async () => {
    await setFlow(shop, [offers.PAUSE]);
    const id = await subscribe(shop);
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(shop.customer, id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true);
    expect(await caseRows(id)).toHaveLength(1);
  });

  test.each(["CANCELLED", "EXPIRED"])("of what is %s is 409", async (status) => {
    const id = await subscribe(shop);
    await force(id, { status });
    expect(refusal(await open(shop.api, id))).toEqual([409, "INVALID_STATE"]);
  });

  test("is 409 before the plan's minimum for a customer, and none for staff", async () => {
    const plan = await addPlan(shop, { min_cycles: 3 });
    const id = await subscribe(shop, { lines: [itemOf(plan)] });
    const answer = await open(shop.customer, id);
    expect(refusal(answer)).toEqual([409, "INVALID_STATE"]);
    expect(answer.body.error).toContain("3 more cycles");
    expect(await caseRows(id)).toEqual([]);
    expect((await open(shop.admin, id)).status).toBe(201);
  });

  test("refuses an unknown reason before the state, and dry runs write nothing", async () => {
    await setFlow(shop, [offers.DISCOUNT]);
    const id = await subscribe(shop);
    const unknown = await open(shop.api, id, { cancellation_reason_id: newId() });
    expect(refusal(unknown)).toEqual([400, "UNKNOWN_CANCELLATION_REASON"]);
    const before = await rowsOf(shop.of.account.id);
    const dry = await open(shop.api, id, {}, { dry_run: true });
    expect([dry.status, dry.body.data.offers.length]).toEqual([200, 1]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("is nobody else's: another customer and another account find neither subscription nor case", async () => {
    await setFlow(shop, [offers.PAUSE]);
    const [id, other] = [await subscribe(shop), await subscribe(shop)];
    const mine = await opened(shop.customer, id);
    const offer_id = mine.offers[0].id;
    const stranger = await openShop();
    const { customer: neighbour } = await customerOf(shop.of);
    for (const as of [stranger.api, stranger.customer, neighbour]) {
      expect(refusal(await open(as, id))).toEqual([404, "NOT_FOUND"]);
      expect(refusal(await accept(as, mine, { offer_id }))).toEqual([404, "NOT_FOUND"]);
      expect(refusal(await confirm(as, mine))).toEqual([404, "NOT_FOUND"]);
      expect(refusal(await api<Json>(as, "GET", on(id, "cancellations")))).toEqual([404, "NOT_FOUND"]);
    }
    const elsewhere = { ...mine, subscription_id: other };
    expect(refusal(await accept(shop.api, elsewhere, { offer_id }))).toEqual([404, "NOT_FOUND"]);
    expect(refusal(await confirm(shop.api, elsewhere))).toEqual([404, "NOT_FOUND"]);
    expect(refusal(await accept(shop.api, mine, { offer_id: newId() }))).toEqual([400, "VALIDATION_FAILED"]);
  });

  test("customers need can_cancel, and each offer the permission that it takes otherwise", async () => {
    await setFlow(shop, everyOffer, { show_at_most: 5 });
    const id = await subscribe(shop);
    await settings({ can_pause: false, can_skip: false, can_change_frequency: false });
    const shown = await opened(shop.customer, id);
    expect(shown.offers.map(({ kind }: Json) => kind)).toEqual(["DISCOUNT", "SWAP"]);
    await settings({ can_cancel: false });
    const offer_id = shown.offers[0].id;
    for (const answer of [
      await open(shop.customer, id),
      await accept(shop.customer, shown, { offer_id }),
      await confirm(shop.customer, shown),
    ])
      expect(refusal(answer)).toEqual([403, "FORBIDDEN"]);
    expect((await accept(shop.api, shown, { offer_id })).status).toBe(200);
  });
});

async function inThirtyDays(): Promise<string> {
  return new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
}

describe("accepting an offer", () => {
  const effects: Record<Kind, (before: Json, after: Json) => void> = {
    PAUSE: (_, after) => expect(after).toMatchObject({ status: "PAUSED", pause_until: inDays(30) }),
    SKIP: (before, after) =>
      expect(Date.parse(after.next_delivery_date) - Date.parse(before.next_delivery_date)).toBe(
        14 * 86_400_000,
      ),
    DISCOUNT: (_, after) =>
      expect(after).toMatchObject({
        total: 8,
        discounts: [{ title: "20 % off", value: 20, recurring_cycle_limit: 2, target_type: "ORDER" }],
      }),
    FREQUENCY: (_, after) =>
      expect(after).toMatchObject({ billing_interval: "WEEK", billing_interval_count: 2 }),
    SWAP: (_, after) =>
      expect(after.lines).toMatchObject([{ store_variant_id: "variant-2", price: 8, product_title: "Rice" }]),
  };
  /** An interval may be sent in small letters. */
  const fortnight = { interval: "week", interval_count: 2 };
  const actions: Record<Kind, string> = {
    PAUSE: "subscription_paused",
    SKIP: "subscription_skipped",
    DISCOUNT: "discount_applied",
    FREQUENCY: "frequency_changed",
    SWAP: "lines_changed",
  };

  test.each(kinds)(
    "%s does what it says in one batch with its acceptance, for customers too",
    async (kind) => {
      await addReason(shop, "skip");
      const { id, found } = await openCase(shop, [offers[kind]]);
      const before = await read(shop, id);
      const body = { ...taking(found.offers[0]), ...(kind === "FREQUENCY" ? { choice: fortnight } : {}) };
      const dry = await accept(shop.customer, found, body, { dry_run: true });
      effects[kind](before, dry.body.data);
      expect(await read(shop, id)).toEqual(before);
      const answer = await accept(shop.customer, found, body);
      expect(answer.status).toBe(200);
      effects[kind](before, answer.body.data);
      const preview = found.offers[0].preview.after;
      const { data } = answer.body;
      expect(preview).toEqual(Object.fromEntries(Object.keys(preview).map((name) => [name, data[name]])));
      const [row] = await caseRows(id);
      expect(row).toMatchObject({ status: "ACCEPTED", accepted_kind: kind, outcome: "PENDING" });
      expect((await casesOf(shop, id))[0]).toMatchObject({
        accepted_offer_id: found.offers[0].id,
        outcome: "PENDING",
      });
      const [effect, acceptance] = (await entriesOf(id)).slice(-2);
      expect([effect!.action, acceptance!.action]).toEqual([actions[kind], "cancellation_offer_accepted"]);
      expect(acceptance!.metadata).toMatchObject({
        cancellation_case_id: found.id,
        offer: { id: found.offers[0].id, kind },
      });
      expect(refusal(await accept(shop.customer, found, body))).toEqual([409, "INVALID_STATE"]);
      expect(refusal(await confirm(shop.customer, found))).toEqual([409, "INVALID_STATE"]);
    },
  );

  test("of 20 at once one takes effect", async () => {
    const { id, found } = await openCase(shop, [offers.DISCOUNT]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => accept(shop.customer, found, { offer_id: found.offers[0].id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect((await read(shop, id)).discounts).toHaveLength(1);
    expect((await actionsOf(id)).filter((action) => action === "cancellation_offer_accepted")).toHaveLength(
      1,
    );
  });

  test("within the cooldown of a customer one takes effect, in however many tabs and subscriptions", async () => {
    await setFlow(shop, [offers.DISCOUNT]);
    const ids = [await subscribe(shop), await subscribe(shop), await subscribe(shop), await subscribe(shop)];
    const found = await Promise.all(ids.map((id) => opened(shop.customer, id)));
    const answers = await Promise.all(
      found.flatMap((each) => [1, 2].map(() => accept(shop.customer, each, { offer_id: each.offers[0].id }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const taken = await Promise.all(ids.map(async (id) => (await read(shop, id)).discounts.length));
    expect(taken.sort()).toEqual([0, 0, 0, 1]);
    await expire(ids[0]!);
    await expire(ids[1]!);
    const offered = await Promise.all(ids.slice(0, 2).map((id) => opened(shop.customer, id)));
    expect(offered.flatMap((each) => each.offers)).toEqual([]);
    const neighbour = await customerOf(shop.of);
    const other = await subscribe({ ...shop, ...neighbour });
    expect((await opened(neighbour.customer, other)).offers).toHaveLength(1);
  });

  test("per subscription each has its own cooldown, and after it offers are shown again", async () => {
    await setFlow(shop, [offers.DISCOUNT], { per: "subscription", cooldown_days: 10 });
    const [one, two] = [await subscribe(shop), await subscribe(shop)];
    await take(shop.customer, one, "DISCOUNT");
    await take(shop.customer, two, "DISCOUNT");
    expect((await opened(shop.customer, one)).offers).toEqual([]);
    const past = new Date(Date.now() - 11 * 86_400_000).toISOString();
    await execute(
      "UPDATE cancellation_cases SET accepted_at = ? WHERE subscription_id = ? AND accepted_at IS NOT NULL",
      past,
      one,
    );
    await expire(one);
    expect((await opened(shop.customer, one)).offers).toHaveLength(1);
  });

  test("what the state forbids meanwhile is 409, and neither effect nor acceptance remains", async () => {
    const { id, found } = await openCase(shop, everyOffer, { flow: { show_at_most: 5 } });
    const offerOf = (kind: Kind) => found.offers.find((each: Json) => each.kind === kind);
    await done(shop.api, "POST", id, "pause", {});
    const line = (await read(shop, id)).lines[0].id;
    await done(shop.api, "PUT", id, `lines/${line}`, { store_variant_id: "variant-5" });
    const before = await rowsOf(shop.of.account.id);
    for (const kind of ["PAUSE", "SKIP", "SWAP"] as const)
      expect(refusal(await accept(shop.customer, found, { offer_id: offerOf(kind).id }))).toEqual([
        409,
        "INVALID_STATE",
      ]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
    const { id: offer_id } = offerOf("FREQUENCY");
    for (const [choice, path] of [
      [undefined, "choice"],
      [{ interval: "MONTH", interval_count: 7 }, "choice"],
    ] as const) {
      const answer = await accept(shop.customer, found, { offer_id, ...(choice ? { choice } : {}) });
      expect([refusal(answer), answer.body.details[0].path]).toEqual([[400, "VALIDATION_FAILED"], path]);
    }
    const withChoice = { offer_id: offerOf("DISCOUNT").id, choice: { interval: "WEEK", interval_count: 2 } };
    expect(refusal(await accept(shop.customer, found, withChoice))).toEqual([400, "VALIDATION_FAILED"]);
    await expire(id);
    expect(refusal(await accept(shop.customer, found, { offer_id: offerOf("DISCOUNT").id }))).toEqual([
      409,
      "INVALID_STATE",
    ]);
    expect(refusal(await confirm(shop.customer, found))).toEqual([409, "INVALID_STATE"]);
  });

  test("offers stay as they were when the case was opened, whatever becomes of the flow", async () => {
    const { found } = await openCase(shop, [offers.DISCOUNT]);
    await setFlow(shop, [{ ...offers.DISCOUNT, terms: { ...offers.DISCOUNT.terms, value: 50 } }], {
      is_enabled: false,
    });
    const { body } = await accept(shop.customer, found, { offer_id: found.offers[0].id });
    expect(body.data.total).toBe(8);
  });

  test("a repeated request with its key answers the subscription and acts once", async () => {
    await setFlow(shop, [offers.DISCOUNT]);
    const id = await subscribe(shop);
    const post = (path: string, body: object, key: string) =>
      api<Json>(shop.api, "POST", on(id, path), { body, headers: { "idempotency-key": key } });
    const [one, two] = [await post("cancellations", {}, "open"), await post("cancellations", {}, "open")];
    expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
    const { id: caseId, offers: shown } = one.body.data;
    const path = `cancellations/${caseId}/accept`;
    const taken = [
      await post(path, { offer_id: shown[0].id }, "take"),
      await post(path, { offer_id: shown[0].id }, "take"),
    ];
    expect(taken.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read(shop, id)).discounts).toHaveLength(1);
  });
});

describe("leaving", () => {
  test("confirming cancels for the case's reason, also where that was deleted since; twice is once", async () => {
    const reason = await addReason(shop, "cancellation", { label: "Too dear" });
    const id = await subscribe(shop);
    const found = await opened(shop.customer, id, { cancellation_reason_id: reason, note: "Of my own" });
    await api(shop.api, "DELETE", `/api/subscriptions/cancellation-reasons/${reason}`);
    const dry = await confirm(shop.customer, found, { dry_run: true });
    expect([dry.body.data.status, (await read(shop, id)).status]).toEqual(["CANCELLED", "ACTIVE"]);
    const answers = await Promise.all([confirm(shop.customer, found), confirm(shop.customer, found)]);
    for (const { status, body } of [...answers, await confirm(shop.customer, found)])
      expect([status, body.data]).toMatchObject([
        200,
        { status: "CANCELLED", cancellation_reason_id: reason, cancellation_reason: "Too dear" },
      ]);
    expect((await caseRows(id))[0]).toMatchObject({ status: "CONFIRMED", outcome: null });
    expect(await actionsOf(id)).toEqual([
      "subscription_created",
      "cancellation_started",
      "subscription_cancelled",
    ]);
  });

  test("cancelling in one step closes the open case as CONFIRMED, and never one that has expired", async () => {
    const [id, other] = [await subscribe(shop), await subscribe(shop)];
    const found = await opened(shop.customer, id);
    await opened(shop.customer, other);
    await done(shop.customer, "POST", id, "cancel", {});
    expect((await casesOf(shop, id))[0]).toMatchObject({ id: found.id, status: "CONFIRMED", outcome: null });
    await expire(other);
    await done(shop.customer, "POST", other, "cancel", {});
    expect((await casesOf(shop, other))[0]).toMatchObject({ status: "EXPIRED" });
  });

  test("after an accepted offer it is lost, with its event, whoever cancels", async () => {
    await setFlow(shop, [offers.SWAP], { cooldown_days: 0 });
    const id = await subscribe(shop);
    await take(shop.customer, id, "SWAP");
    await done(shop.admin, "POST", id, "cancel", {});
    expect((await casesOf(shop, id))[0]).toMatchObject({ status: "ACCEPTED", outcome: "LOST" });
    const lost = (await entriesOf(id)).find(({ action }) => action === "cancellation_lost");
    expect(lost?.metadata).toMatchObject({ kind: "SWAP" });
    const types = { types: "subscription.cancellation_lost,subscription.cancelled" };
    const events = await api<Json>(shop.api, "GET", "/api/events", { query: types });
    expect(events.body.data.map(({ type }: Json) => type)).toEqual([
      "subscription.cancelled",
      "subscription.cancellation_lost",
    ]);
  });
});

test("erasure keeps the reason and drops the note", async () => {
  const reason = await addReason(shop, "cancellation");
  const body = { cancellation_reason_id: reason, note: "My address is 1 High Street" };
  const { id } = await openCase(shop, [offers.DISCOUNT], { body });
  const db = testDb(shop.of.account);
  const account = (await readAccount(db, shop.of.account.id))!;
  await erasePersonalData(ctxOn(db, account), shop.profileId);
  expect(await caseRows(id)).toMatchObject([{ note: null, cancellation_reason_id: reason }]);
});
