/** A profile is created as it was sent, and is deleted softly unless a subscription needs it. */
import { describe, expect, test } from "vitest";
import { subscriptionStatuses } from "../../../src/domain/subscriptions/tables.ts";
import { api } from "../../support/client.ts";
import { execute } from "../../support/database.ts";
import { faults, listed, put, subscriptionOf } from "../../support/records.ts";
import {
  cutFor,
  everyField,
  instant,
  newEmail,
  nullable,
  path,
  rowOf,
  useProfiles,
} from "./profiles.setup.ts";

const { account, post, create, change, get, remove } = useProfiles();

describe("create", () => {
  test("with an email alone returns 200 {data: Profile}: the documented fields, null for those not sent", async () => {
    const email = "Only.Mail+tag@Customers.Test";
    const { status, body } = await post({ email });
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        email,
        full_name: "",
        full_address: "",
        ...Object.fromEntries(nullable.map((name) => [name, null])),
        store_customer_id: null,
        email_status: null,
        sms_status: null,
        locale: null,
        created_at: expect.stringMatching(instant),
        updated_at: body.data.created_at,
      },
    });
    expect((await get(body.data.id)).body).toEqual(body);
  });

  test("accepts all documented fields; title and ip are stored, not returned", async () => {
    const email = newEmail();
    const stamps = { created_at: "2020-02-29T12:00:00.000Z", updated_at: "2021-01-01T00:00:00.000Z" };
    const profile = await create({ email, ...everyField, ...stamps, title: "Countess", ip: "192.0.2.7" });
    expect(profile).toEqual({
      id: profile.id,
      email,
      ...everyField,
      ...stamps,
      store_customer_id: null,
      full_name: "Ada Lovelace",
      full_address: "12 St James's Square, Flat 2, London, England, SW1Y 4JH, United Kingdom",
    });
    expect(await rowOf(profile.id)).toMatchObject({
      title: "Countess",
      ip: "192.0.2.7",
      email_folded: email,
      revision: 1,
    });
  });

  test.each([
    [
      "a date-time with an offset is taken as UTC",
      { created_at: "2024-05-01T02:30:00+02:00" },
      "2024-05-01T00:30:00.000Z",
    ],
    ["a null created_at is now", { created_at: null, updated_at: null }, undefined],
    [
      "created_at alone is also updated_at",
      { created_at: "2023-01-01T00:00:00Z" },
      "2023-01-01T00:00:00.000Z",
    ],
  ])("%s", async (_, fields, expected) => {
    const before = new Date().toISOString();
    const { created_at, updated_at } = await create(fields);
    if (expected === undefined) expect((created_at as string) >= before).toBe(true);
    else expect(created_at).toBe(expected);
    expect(updated_at).toBe(created_at);
  });

  test("Idempotency-Key: the same request again replays, and creates no second profile", async () => {
    const options = { body: { email: newEmail() }, headers: { "Idempotency-Key": "profile-1" } };
    const first = await api(account.admin, "POST", path, options);
    const again = await api(account.admin, "POST", path, options);
    expect([again.status, again.text, again.headers.get("Idempotency-Replayed")]).toEqual([
      200,
      first.text,
      "true",
    ]);
  });
});

describe("derived fields", () => {
  test.each([
    [{ first_name: "Ada", last_name: null }, "Ada"],
    [{ first_name: null, last_name: "Lovelace" }, "Lovelace"],
    [{ first_name: "", last_name: "" }, ""],
    [{ first_name: "", last_name: "Lovelace" }, "Lovelace"],
    [{ first_name: "María José", last_name: "de la Cruz" }, "María José de la Cruz"],
  ])('full_name: first and last name joined, "" if none: %j', async (fields, full_name) => {
    expect((await create(fields)).full_name).toBe(full_name);
  });

  test.each([
    [{ city: "Paris" }, "Paris"],
    [{ address1: "1", address2: "", city: null, region: "R", country: "C", postal_code: "P" }, "1, R, P, C"],
    [{ address2: "2", country: "C" }, "2, C"],
  ])("full_address: the non-empty parts in order joined by a comma: %j", async (fields, full_address) => {
    expect((await create(fields)).full_address).toBe(full_address);
  });
});

describe("text is returned byte for byte", () => {
  test.each([
    ["emoji", "👩‍👩‍👧‍👦🏳️‍🌈"],
    ["right to left, with marks of direction", "\u202eمرحبا\u202c שָׁלוֹם"],
    ["10,000 characters", "ж".repeat(10_000)],
    ["10,000 characters beyond the BMP", "𠮷".repeat(10_000)],
    ["combining marks, not composed", "e\u0301 a\u030a Z̸̢̛a̴l̷g̸o̵"],
    ["composed", "é å"],
    ["control characters and line ends", "a\u0001\u001f\r\n\t\u2028\ufeffb"],
    ["blanks around", "  x \u00a0"],
    ["quotes, backslashes, SQL, HTML", `'"\\ '); DROP TABLE profiles; -- <b>%s</b> \${x} {{y}}`],
    ["the replacement character and noncharacters", "\ufffd\uffff\u{1ffff}"],
  ])("%s", async (_, value) => {
    const fields = Object.fromEntries(nullable.map((name) => [name, cutFor(name, value)]));
    const profile = await create(fields);
    expect(profile).toMatchObject(fields);
    expect((await get(profile.id)).body.data).toMatchObject({ ...fields, full_name: `${value} ${value}` });
    const { data } = await listed(account.admin, path, { email: profile.email as string });
    expect(data[0]).toEqual(profile);
  });
});

describe("delete is soft", () => {
  test("204 without a body; then no response shows the profile, but its row stays", async () => {
    const profile = await create();
    const { status, text } = await remove(profile.id);
    expect([status, text]).toEqual([204, ""]);
    for (const answer of [await get(profile.id), await change(profile.id, {}), await remove(profile.id)])
      expect(faults(answer)).toEqual([404, "NOT_FOUND"]);
    for (const below of ["activity", "addresses"])
      expect((await api(account.admin, "GET", `${path}/${profile.id}/${below}`)).status, below).toBe(404);
    expect((await listed(account.admin, path, { email: profile.email as string })).data).toEqual([]);
    expect((await rowOf(profile.id)).deleted_at).toMatch(instant);
  });

  test.each(
    subscriptionStatuses.map(
      (status) => [status, ["ACTIVE", "PAUSED", "PAYMENT_FAILED"].includes(status)] as const,
    ),
  )("with a subscription that is %s: refused (PROFILE_IN_USE): %s", async (status, refused) => {
    const profile = await create();
    await put("subscriptions", [
      subscriptionOf(account.of, profile.id, { status: "CANCELLED" }),
      subscriptionOf(account.of, profile.id, { status }),
    ]);
    const answer = await remove(profile.id);
    expect(answer.status).toBe(refused ? 409 : 204);
    if (!refused) return;
    expect(faults(answer)).toEqual([409, "PROFILE_IN_USE"]);
    expect((await get(profile.id)).body.data).toEqual(profile);
    await execute("UPDATE subscriptions SET status = 'EXPIRED' WHERE profile_id = ?", profile.id);
    expect((await remove(profile.id)).status).toBe(204);
  });

  test("one of ten simultaneous deletions deletes, and the others answer 404", async () => {
    const { id } = await create();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
  });
});
