/** An upload creates or changes each customer by e-mail, all rows or none. */
import { describe, expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { select } from "../../support/database.ts";
import { faults, openMerchant } from "../../support/records.ts";
import { rowsOf } from "../../support/snapshot.ts";
import {
  type Body,
  everyField,
  expectImported,
  newEmail,
  path,
  printCsv,
  uploadPath,
  useUploads,
} from "./upload.setup.ts";

const { account, uploadJson, uploadCsv, findByEmail } = useUploads();

describe("upsert by email: a named field overwrites, an absent field keeps its value", () => {
  test("absent, null and empty; the rest stays; updated_at moves, id and created_at do not", async () => {
    const email = newEmail();
    const stored = (await api(account.admin, "POST", path, { body: { email, ...everyField } })).body.data;
    expectImported(await uploadJson([{ email, first_name: "Amazing", last_name: null, city: "" }]), 1);
    const { updated_at, ...profile } = (await findByEmail(email))!;
    expect(profile).toEqual({
      ...stored,
      first_name: "Amazing",
      last_name: null,
      city: "",
      full_name: "Amazing",
      full_address: "1 Navy Yard, B, DC, 20374, United States",
      updated_at: undefined,
    });
    expect((updated_at as string) > "2026").toBe(true);
    expect((await select("SELECT title, revision FROM profiles WHERE email = ?", email))[0]).toEqual({
      title: "Rear Admiral",
      revision: 2,
    });
  });

  test("e-mails match by their lower-case form, and the e-mail becomes the uploaded one", async () => {
    const email = newEmail();
    await uploadJson([{ email }]);
    const { id } = (await findByEmail(email))!;
    expectImported(await uploadJson([{ email: email.toUpperCase() }]), 1);
    expect(await findByEmail(email)).toMatchObject({ id, email: email.toUpperCase() });
  });

  test("a deleted profile is not changed: a new one is created", async () => {
    const email = newEmail();
    await uploadJson([{ email, first_name: "Old" }]);
    const { id } = (await findByEmail(email))!;
    await api(account.admin, "DELETE", `${path}/${id}`);
    expectImported(await uploadJson([{ email }]), 1);
    const fresh = (await findByEmail(email))!;
    expect(fresh.id).not.toBe(id);
    expect(fresh.first_name).toBeNull();
  });

  test("another account's profile with that e-mail is not changed", async () => {
    const other = await openMerchant();
    const email = newEmail();
    await uploadJson([{ email, first_name: "Theirs" }], other);
    expectImported(await uploadJson([{ email, first_name: "Ours" }]), 1);
    expect(await findByEmail(email, other)).toMatchObject({ first_name: "Theirs" });
  });

  test("the same upload again changes updated_at only", async () => {
    const rows = [
      { email: newEmail(), first_name: "A" },
      { email: newEmail(), city: "B" },
    ];
    expectImported(await uploadJson(rows), 2);
    const before = await Promise.all(rows.map(({ email }) => findByEmail(email)));
    expectImported(await uploadJson(rows), 2);
    const after = await Promise.all(rows.map(({ email }) => findByEmail(email)));
    expect(after.map((one) => ({ ...one, updated_at: 0 }))).toEqual(
      before.map((one) => ({ ...one, updated_at: 0 })),
    );
  });

  test("Idempotency-Key: replayed", async () => {
    const options = { body: [{ email: newEmail() }], headers: { "Idempotency-Key": "upload-1" } };
    expectImported(await api(account.admin, "POST", uploadPath, options), 1);
    const again = await api(account.admin, "POST", uploadPath, options);
    expectImported(again, 1);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
  });
});

describe("all or nothing", () => {
  test("one bad row among good ones, new and known: nothing is written", async () => {
    const shop = await openMerchant();
    await uploadJson([{ email: "known@customers.test", city: "Before" }], shop);
    const rows: Body[] = Array.from({ length: 50 }, (_, index) => ({ email: `row-${index}@customers.test` }));
    rows.push({ email: "known@customers.test", city: "After" });
    rows[17] = { email: "nobody" };
    const before = await rowsOf(shop.of.account.id);
    expect(faults(await uploadJson(rows, shop))).toEqual([400, "VALIDATION_FAILED", "profiles.17.email"]);
    expect(await rowsOf(shop.of.account.id)).toBe(before);
  });

  test("one email twice, in any case, is 400 that names the later rows", async () => {
    const email = newEmail();
    const rows = [{ email }, { email: newEmail() }, { email: email.toUpperCase() }, { email }];
    expect(faults(await uploadJson(rows))).toEqual([
      400,
      "VALIDATION_FAILED",
      "profiles.2.email",
      "profiles.3.email",
    ]);
    expect(await findByEmail(email)).toBeUndefined();
    expect(faults(await uploadCsv(printCsv(["email"], rows)))).toEqual([
      400,
      "VALIDATION_FAILED",
      "profiles.2.email",
      "profiles.3.email",
    ]);
  });

  test("details name the first 100 faults, in order", async () => {
    const answer = await uploadJson(Array.from({ length: 150 }, () => ({ email: "nobody" })));
    const paths = Array.from({ length: 100 }, (_, index) => `profiles.${index}.email`);
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", ...paths]);
    const twice = await uploadJson(Array.from({ length: 150 }, () => ({ email: "twice@customers.test" })));
    expect((faults(twice) as unknown[]).slice(2)).toEqual(
      Array.from({ length: 100 }, (_, index) => `profiles.${index + 1}.email`),
    );
  });
});
