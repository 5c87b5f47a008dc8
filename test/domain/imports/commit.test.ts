/** An import checks, writes, holds, releases and undoes exactly what its rows say. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import {
  actionsOf,
  done,
  entriesOf,
  inDays,
  type Json,
  on,
  openShop,
  read,
  subscribe,
} from "../../support/shops.ts";
import { advance, attemptsOf, ordersOf, shipNow, startClock, useWorker } from "../../support/worker.ts";
import {
  begin,
  fileOf,
  jobOf,
  moveIn,
  must,
  outcomesOf,
  path,
  putPart,
  release,
  rowOf,
  rowsOf,
  stage,
  start,
} from "./imports.ts";

const worker = useWorker();

describe("the check", () => {
  test("says for each row what would be made, and in sum what the next 35 days charge here and there", async () => {
    const shop = await openShop();
    const id = await stage(shop, [
      rowOf(shop, "a"),
      rowOf(shop, "b", { expected_total: 24 }),
      rowOf(shop, "c", { price: "12,50" }),
      rowOf(shop, "d", { status: "CANCELLED", next_billing_date: "" }),
    ]);
    const job = await start(shop, worker, id, false);
    expect(job).toMatchObject({ kind: "IMPORT", status: "READY", total: 4, failed: 1, done: 0 });
    expect(job.summary).toEqual({
      ...{ rows: 4, subscriptions: 4, errors: 1, differing: 1, currency_code: "USD", without_address: 2 },
      faults: [
        {
          ...{ path: "price", message: "must be a number with a point before its decimals, such as 12.5" },
          ...{ rows: 1, first: [{ part: 1, line: 4, email: "c@example.com" }] },
        },
      ],
      next_35_days: { charges: 10, amount_here: 250, amount_there: 245 },
    });
    const rows = await rowsOf(shop, id);
    expect(rows.map(({ n, key, status, record_id }) => [n, key, status, record_id])).toEqual([
      [1, "a", "PENDING", null],
      [2, "b", "PENDING", null],
      [3, "c", "FAILED", null],
      [4, "d", "PENDING", null],
    ]);
    expect(rows[1].summary).toEqual({
      ...{ part: 1, line: 3, email: "b@example.com", total_here: 25, expected_total: 24 },
      ...{ next_billing_date: inDays(10), billing_interval: "WEEK", billing_interval_count: 1 },
    });
    expect(rows[2].errors).toEqual([
      { path: "price", message: "must be a number with a point before its decimals, such as 12.5" },
    ]);
    expect(
      await select(
        "SELECT id FROM subscriptions WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
        shop.of.account.id,
      ),
    ).toEqual([]);
  });

  test("is made anew of other parts, and of the same", async () => {
    const shop = await openShop();
    const id = await stage(shop, [rowOf(shop, "a", { price: "" }), rowOf(shop, "b")]);
    expect(await start(shop, worker, id, false)).toMatchObject({ status: "READY", total: 2, failed: 1 });
    expect(await start(shop, worker, id, false)).toMatchObject({ status: "READY", total: 2, failed: 1 });
    const put = must(await putPart(shop, id, fileOf([rowOf(shop, "a")]))).data;
    expect(put).toMatchObject({ status: "STAGING", total: 0, failed: 0, summary: { rows: 1 } });
    expect(await start(shop, worker, id, false)).toMatchObject({ status: "READY", total: 1, failed: 0 });
    expect(await outcomesOf(shop, id)).toEqual({ a: "PENDING" });
  });

  test("goes on in pages, and keeps the order of the file whatever stands between the lines of a subscription", async () => {
    const shop = await openShop();
    const refs = Array.from({ length: 60 }, (_, nth) => `r${(nth * 37) % 60}`);
    const rows = [...refs, ...refs].map((ref) => rowOf(shop, ref, { expected_total: 50 }));
    const id = await stage(shop, rows);
    const job = await start(shop, worker, id, false);
    expect(job).toMatchObject({
      total: 60,
      summary: { rows: 120, subscriptions: 60, errors: 0, differing: 0 },
    });
    const listed = await rowsOf(shop, id);
    expect(listed.map(({ key }) => key)).toEqual(refs);
    expect(listed.every(({ summary }) => summary.total_here === 50)).toBe(true);
  });

  const faulty: [string, Json, string[]][] = [
    ["no e-mail address", { email: "" }, ["email is required"]],
    ["an e-mail address that is none", { email: "ada" }, ["email must be an e-mail address"]],
    ["no price", { price: "" }, ["price is required"]],
    [
      "decimals that the currency has not",
      { price: "1.005" },
      ["price must be an amount of USD, with at most 2 decimals"],
    ],
    [
      "no product",
      { store_product_id: "", store_variant_id: "" },
      ["store_product_id is required, or store_variant_id"],
    ],
    ["no date", { next_billing_date: "" }, ["next_billing_date is required"]],
    [
      "a date that is none",
      { next_billing_date: "31.12.2030" },
      ["next_billing_date must be a date, yyyy-MM-dd, or a date-time"],
    ],
    [
      "a charge before charge_from",
      { next_billing_date: inDays(4) },
      [`next_billing_date must be ${inDays(5)} or later`],
    ],
    [
      "an unknown plan",
      { selling_plan_id: "none" },
      ["selling_plan_id is not the id of an active selling plan"],
    ],
    ["an unknown slot", { delivery_slot_id: "none" }, ["delivery_slot_id is not an active delivery slot"]],
    [
      "a status that is none",
      { status: "GONE" },
      ["status must be one of ACTIVE, PAUSED, CANCELLED, EXPIRED, PAST_DUE"],
    ],
    ["another currency", { currency_code: "EUR" }, ["currency_code must be USD, the account's currency"]],
    [
      "a card that has expired",
      { store_payment_method_id: "pm_expired_card" },
      ["store_payment_method_id has expired"],
    ],
    [
      "half of an address",
      { address1: "12 Elm Street" },
      [
        "country_code is required where there is an address",
        "city is required where there is an address",
        "postal_code is required where there is an address",
      ],
    ],
    [
      "attributes that are no object",
      { custom_attributes: "[1]" },
      ["custom_attributes must be an object as JSON"],
    ],
    [
      "an ended subscription",
      { cycles_billed: 3, max_cycles: 3 },
      ["max_cycles is not more than cycles_billed: the subscription has ended"],
    ],
    [
      "an anchor that does not lead to the charge",
      { anchor_date: inDays(-5) },
      ["anchor_date does not lead to the next charge by whole delivery intervals"],
    ],
    [
      "deliveries owed of what is not prepaid",
      { prepaid_owed: 1 },
      ["prepaid_owed is for subscriptions with several deliveries for each charge"],
    ],
  ];

  test("tells each fault of a row by its path", async () => {
    const shop = await openShop();
    const id = await stage(
      shop,
      faulty.map(([name, values]) => rowOf(shop, name, { email: "grace@example.com", ...values })),
    );
    await start(shop, worker, id, false);
    const outcomes = await outcomesOf(shop, id);
    const expected = Object.fromEntries(faulty.map(([name, , faults]) => [name, ["FAILED", ...faults]]));
    expect(outcomes).toEqual(expected);
  });
});

describe("a subscription that is moved in", () => {
  test("has what its rows say, is held, and names its job in its history", async () => {
    const shop = await openShop();
    const plan = must(
      await api(shop.of, "POST", "/api/subscriptions/selling-plans", {
        body: {
          id: `plan-${crypto.randomUUID()}`,
          name: "Half off",
          billing_interval: "MONTH",
          billing_interval_count: 1,
          ...{ discount_type: "PERCENTAGE", discount_value: 50, shipping_amount: 9 },
        },
      }),
    ).data.id;
    const row = rowOf(shop, "sub-1", {
      ...{ email: "Ada@Example.com", first_name: "Ada", last_name: "Lovelace", phone_number: "+1 555" },
      ...{
        address1: "12 Elm Street",
        city: "Brooklyn",
        postal_code: "11201",
        country_code: "us",
        region: "New York",
      },
      ...{
        selling_plan_id: "",
        selling_plan_name: "half off",
        billing_interval: "month",
        price: 40,
        quantity: 1,
      },
      ...{
        next_billing_date: "2031-03-31",
        anchor_date: "2031-01-31",
        cycles_billed: 7,
        min_cycles: 3,
        max_cycles: 12,
      },
      ...{ discount_type: "PERCENTAGE", discount_value: 10, discount_cycles_left: 2, shipping_amount: 4.5 },
      ...{
        created_at: "2024-01-31",
        note: "'=mornings",
        custom_attributes: '{"quiz":"b"}',
        expected_total: 44.5,
      },
      ...{ entity_ref: "pet-1", entity_type: "pet", entity_name: "Biscuit", delivery_instructions: "Ring" },
    });
    const second = {
      ...row,
      store_product_id: "product-2",
      store_variant_id: "",
      product_title: "Toys",
      price: 5,
      sku: "T",
    };
    const { ids, job, id } = await moveIn(shop, worker, [row, second]);
    expect(job).toMatchObject({
      status: "DONE",
      total: 1,
      done: 1,
      failed: 0,
      skipped: 0,
      summary: { differing: 1 },
    });
    const made = await read(shop, ids["sub-1"]!);
    expect(made).toMatchObject({
      ...{ status: "ACTIVE", billing_blocked_reason: "import_held", store_contract_id: null },
      ...{ migration_source_ref: "sub-1", next_billing_date: "2031-03-31", next_delivery_date: "2031-03-31" },
      ...{
        current_billing_cycle: 8,
        can_retry_payment: false,
        subtotal: 45,
        discount_amount: 4.5,
        shipping_amount: 4.5,
        total: 45,
      },
      ...{
        billing_interval: "MONTH",
        note: "'=mornings",
        custom_attributes: { quiz: "b" },
        entity_label: "Biscuit",
      },
      ...{
        delivery_instructions: "Ring",
        created_at: "2024-01-31T00:00:00.000Z",
        payment_reminder_status: "NONE",
      },
      profile: { email: "Ada@Example.com", first_name: "Ada" },
      delivery_address: {
        address1: "12 Elm Street",
        country: "United States",
        country_code: "US",
        province: "New York",
      },
    });
    expect(made.lines.map((line: Json) => [line.store_variant_id, line.price, line.selling_plan_id])).toEqual(
      [
        ["variant-1", 40, plan],
        ["product-2", 5, plan],
      ],
    );
    expect(made.discounts[0]).toMatchObject({ value: 10, recurring_cycle_limit: 2, target_type: "ORDER" });
    const upcoming = must(await api(shop.api, "GET", on(made.id, "upcoming"), { query: { count: 3 } })).data;
    expect(upcoming.map((one: Json) => [one.cycle, one.billing_date, one.total, one.is_at_risk])).toEqual([
      [8, "2031-03-31", 45, true],
      [9, "2031-04-30", 45, true],
      [10, "2031-05-31", 49.5, true],
    ]);
    const [entry] = await entriesOf(made.id);
    expect(entry).toMatchObject({ action: "subscription_created", metadata: { job_id: id } });
  });

  test("lands in the status that it has elsewhere; retries are not moved in", async () => {
    const shop = await openShop();
    const rows = [
      rowOf(shop, "paused", { status: "PAUSED", pause_until: inDays(30) }),
      rowOf(shop, "gone", { status: "CANCELLED", cancelled_at: "2025-01-02", cancellation_reason: "Moved" }),
      rowOf(shop, "due", { status: "PAST_DUE" }),
    ];
    const paused = await moveIn(shop, worker, rows);
    expect(await read(shop, paused.ids.paused!)).toMatchObject({ status: "PAUSED", pause_until: inDays(30) });
    expect(await read(shop, paused.ids.gone!)).toMatchObject({
      ...{ status: "CANCELLED", cancelled_at: "2025-01-02T00:00:00.000Z", cancellation_reason: "Moved" },
      next_billing_date: null,
    });
    expect(await read(shop, paused.ids.due!)).toMatchObject({ status: "PAUSED", is_in_dunning: false });
    const billed = await moveIn(shop, worker, [rowOf(shop, "due", { status: "PAST_DUE" })], {
      source: "b",
      past_due: "bill",
    });
    expect(await outcomesOf(shop, billed.id)).toEqual({
      due: ["FAILED", `subscription_ref is that of the living subscription ${paused.ids.due}`],
    });
    const other = await moveIn(shop, worker, [rowOf(shop, "due-2", { status: "PAST_DUE" })], {
      source: "b",
      past_due: "bill",
    });
    expect(await read(shop, other.ids["due-2"]!)).toMatchObject({
      status: "ACTIVE",
      next_billing_date: inDays(10),
    });
  });

  test("owes the deliveries that were paid for elsewhere before its next charge", async () => {
    const shop = await openShop();
    const { ids } = await moveIn(shop, worker, [
      rowOf(shop, "prepaid", {
        ...{
          billing_interval: "MONTH",
          billing_interval_count: 3,
          delivery_interval: "MONTH",
          delivery_interval_count: 1,
        },
        ...{
          next_billing_date: "2031-06-30",
          next_delivery_date: "2031-04-30",
          prepaid_owed: 2,
          price: 30,
          quantity: 1,
        },
      }),
    ]);
    const upcoming = must(
      await api(shop.api, "GET", on(ids.prepaid!, "upcoming"), { query: { count: 4 } }),
    ).data;
    expect(upcoming.map((one: Json) => [one.delivery_date, one.is_billed, one.total])).toEqual([
      ["2031-04-30", false, 0],
      ["2031-05-30", false, 0],
      ["2031-06-30", true, 30],
      ["2031-07-30", false, 0],
    ]);
  });

  test("belongs to the customer whom the account has, with an entity for each of their refs", async () => {
    const shop = await openShop();
    const pet = { entity_ref: "p", entity_type: "pet", entity_name: "Biscuit" };
    const { ids } = await moveIn(shop, worker, [
      rowOf(shop, "a", { email: "SAME@example.com", ...pet }),
      rowOf(shop, "b", { email: "same@example.com", ...pet }),
      rowOf(shop, "c", { email: "other@example.com", ...pet }),
    ]);
    const [a, b, c] = await Promise.all([ids.a!, ids.b!, ids.c!].map((id) => read(shop, id)));
    expect([a.profile_id === b.profile_id, a.profile_id === c.profile_id]).toEqual([true, false]);
    expect([a.entities[0].id === b.entities[0].id, a.entities[0].id === c.entities[0].id]).toEqual([
      true,
      false,
    ]);
  });

  test("is moved in once, run twice, in two files, and from its own account's export", async () => {
    const shop = await openShop();
    const own = await subscribe(shop);
    const rows = [rowOf(shop, "a"), rowOf(shop, "b")];
    const first = await moveIn(shop, worker, rows);
    const again = await moveIn(shop, worker, [...rows, rowOf(shop, own)]);
    expect(again.job).toMatchObject({ status: "DONE", done: 0, skipped: 3, failed: 0 });
    expect(again.ids).toEqual({ ...first.ids, [own]: own });
    expect(await outcomesOf(shop, again.id)).toMatchObject({
      a: ["SKIPPED", "subscription_ref is here already"],
    });
    const taken = await api(shop.api, "POST", "/api/subscriptions", {
      body: {
        ...{
          profile_id: shop.profileId,
          store_payment_method_id: "pm_success",
          next_delivery_date: inDays(7),
        },
        migration_source_ref: "a",
        lines: [
          {
            store_product_id: "p",
            store_variant_id: "v",
            product_title: "P",
            selling_plan_id: shop.plan,
            price: 1,
            quantity: 1,
          },
        ],
      },
    });
    expect([taken.status, taken.body.errorCode, taken.text.includes(first.ids.a!)]).toEqual([
      409,
      "INVALID_STATE",
      true,
    ]);
  });
});

describe("until its release an import", () => {
  test("is neither charged nor linked, and its customers hear nothing of it", async () => {
    const shop = await openShop();
    await startClock(shop, new Date().toISOString());
    must(await api(shop.of, "PUT", "/api/account", { body: { payment_reminder_days_before: 3 } }));
    const { ids, id } = await moveIn(shop, worker, [
      rowOf(shop, "a"),
      rowOf(shop, "b", { status: "PAUSED", pause_until: inDays(8) }),
    ]);
    const a = ids.a!;
    const shipped = await shipNow(shop, worker, a);
    expect([shipped.status, shipped.body]).toMatchObject([
      409,
      { success: false, error: "Subscription is not billable: ACTIVE", errorCode: "NOT_BILLABLE" },
    ]);
    expect((await api(shop.api, "POST", on(a, "retry-payment"))).status).toBe(409);
    await worker.tick();
    await advance(shop, worker, 20);
    expect(await actionsOf(a)).toEqual(["subscription_created"]);
    expect(await actionsOf(ids.b!)).toEqual(["subscription_created"]);
    expect(await attemptsOf(shop, a)).toEqual([]);
    expect(await read(shop, a)).toMatchObject({
      store_contract_id: null,
      billing_blocked_reason: "import_held",
    });
    await release(shop, worker, id, { subscription_refs: ["a"] });
    expect(await read(shop, a)).toMatchObject({ billing_blocked_reason: null });
    expect((await read(shop, a)).store_contract_id).not.toBeNull();
    await advance(shop, worker, 1);
    expect((await ordersOf(shop, a)).map(({ total }) => total)).toEqual([25]);
    expect(await read(shop, ids.b!)).toMatchObject({
      status: "PAUSED",
      billing_blocked_reason: "import_held",
    });
    await release(shop, worker, id);
    await advance(shop, worker, 1);
    expect(await read(shop, ids.b!)).toMatchObject({ status: "ACTIVE", billing_blocked_reason: null });
    expect((await actionsOf(ids.b!)).slice(0, 2)).toEqual([
      "subscription_created",
      "subscription_import_released",
    ]);
    expect(await jobOf(shop, id)).toMatchObject({ status: "DONE", done: 2 });
  });

  test("is released of refs that it has alone, and once it has ended", async () => {
    const shop = await openShop();
    const { id } = await moveIn(shop, worker, [rowOf(shop, "a")]);
    const unknown = await api(shop.api, "POST", `${path}/${id}/release`, {
      body: { subscription_refs: ["a", "x"] },
    });
    expect([unknown.status, unknown.body.details]).toEqual([
      400,
      [{ path: "subscription_refs.1", message: "is not known" }],
    ]);
    const staged = await begin(shop);
    expect((await api(shop.api, "POST", `${path}/${staged}/release`)).body.errorCode).toBe("INVALID_STATE");
  });
});

describe("undoing an import", () => {
  test("deletes what is as it was made, released or not, and frees its ref; the rest stays and says why", async () => {
    const shop = await openShop();
    await startClock(shop, new Date().toISOString());
    const rows = ["held", "released", "changed", "charged"].map((ref) => rowOf(shop, ref));
    const { ids, id } = await moveIn(shop, worker, rows);
    await release(shop, worker, id, { subscription_refs: ["released", "charged", "changed"] });
    await done(shop.api, "POST", ids.changed!, "pause");
    await advance(shop, worker, 5);
    must(await shipNow(shop, worker, ids.charged!));
    await worker.drain();
    must(await worker.call(shop.api, "POST", `/api/jobs/${id}/undo`));
    await worker.drain();
    expect(await jobOf(shop, id)).toMatchObject({ status: "UNDONE", done: 2, undone: 2 });
    expect(await outcomesOf(shop, id)).toEqual({
      ...{ held: "UNDONE", released: "UNDONE" },
      changed: ["OK", " Cannot undo the import: it has been changed since"],
      charged: ["OK", " Cannot undo the import: it has been charged since"],
    });
    for (const ref of ["held", "released"]) {
      expect((await api(shop.api, "GET", on(ids[ref]!))).status).toBe(404);
      expect((await entriesOf(ids[ref]!)).at(-1)).toMatchObject({
        action: "subscription_import_undone",
        metadata: { job_id: id },
      });
    }
    expect(
      must(await api(shop.api, "GET", "/api/subscriptions", { query: { status: "ACTIVE" } })).meta.total,
    ).toBe(1);
    const others = [rowOf(shop, "held"), rowOf(shop, "charged")];
    const again = await moveIn(shop, worker, others, { charge_from: inDays(6) });
    expect(await outcomesOf(shop, again.id)).toMatchObject({
      held: "OK",
      charged: ["SKIPPED", "subscription_ref is here already"],
    });
    expect(again.ids.held).not.toBe(ids.held);
  });
});
