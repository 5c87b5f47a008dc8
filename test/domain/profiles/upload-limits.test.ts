/** An upload of 10,000 rows takes a few round trips, and a larger one is refused. */
import { describe, expect, test } from "vitest";
import { mostSearched } from "../../../src/base/db/list/search.ts";
import { apiOfItsOwn } from "../../support/client.ts";
import { faults, listed, openMerchant, usageOf } from "../../support/records.ts";
import { cutFor } from "./profiles.setup.ts";
import {
  type Body,
  countProfiles,
  everyField,
  expectImported,
  path,
  printCsv,
  slow,
  uploadPath,
  useUploads,
} from "./upload.setup.ts";

const { account, uploadJson, uploadCsv, findByEmail } = useUploads();

describe("at most 10,000 rows, 10 MiB", () => {
  const rows = (count: number, more: Body = {}) =>
    Array.from({ length: count }, (_, index) => ({ email: `many-${index}@customers.test`, ...more }));

  test("10,000 rows are created, then changed, each in a few round trips", async () => {
    const shop = await openMerchant();
    const first = await usageOf(() => uploadJson(rows(10_000, { first_name: "Bulk" }), shop));
    expectImported(first.answer, 10_000);
    expect(first.db_round_trips).toBeLessThanOrEqual(12);
    expect(await countProfiles(shop)).toBe(10_000);
    const columns = printCsv(["email", "last_name"], rows(10_000, { last_name: "Load" }));
    const second = await usageOf(() => uploadCsv(columns, shop));
    expectImported(second.answer, 10_000);
    expect(second.db_round_trips).toBeLessThanOrEqual(12);
    expect(await countProfiles(shop)).toBe(10_000);
    expect(await findByEmail("many-9999@customers.test", shop)).toMatchObject({ full_name: "Bulk Load" });
    const { meta } = await listed(shop.admin, path, { search: "bulk load", limit: 1 });
    expect(meta).toMatchObject({ total: mostSearched, total_is_estimate: true });
  });

  test("10,001 rows: 400", async () => {
    const shop = await openMerchant();
    expect(faults(await uploadJson(rows(10_001), shop))).toEqual([400, "VALIDATION_FAILED", "profiles"]);
    expect((await uploadCsv(printCsv(["email"], rows(10_001)), shop)).status).toBe(400);
    expect(await countProfiles(shop)).toBe(0);
  });

  test("more than 1 MiB is accepted, more than 10 MiB is 413", async () => {
    const shop = await openMerchant();
    const long = { first_name: "é".repeat(10_000), phone_number: "\u0001".repeat(10_000) };
    expectImported(await uploadJson(rows(100, long), shop), 100);
    expect(await findByEmail("many-99@customers.test", shop)).toMatchObject(long);
    const tooMuch = "x".repeat(10 * 1024 * 1024);
    expect(faults(await uploadCsv(`email\n${tooMuch}`, shop))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(faults(await uploadJson([tooMuch], shop))).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  test("other requests are answered during the largest upload", slow, async () => {
    const shop = await openMerchant();
    const lines = rows(10_000).map(({ email }) => `${email},${"x".repeat(990)}`);
    let isDone = false;
    const upload = apiOfItsOwn(shop.admin, "POST", uploadPath, {
      raw: `email,title\n${lines.join("\n")}`,
      headers: { "Content-Type": "text/csv" },
    }).finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      expect((await apiOfItsOwn(account.admin, "GET", path, { query: { limit: 1 } })).status).toBe(200);
      if (!isDone) answered++;
      // The upload goes on by a timer after each part, and timers wait for as long as requests follow at once.
      await scheduler.wait(1);
    }
    expectImported(await upload, 10_000);
    expect(answered).toBeGreaterThan(0);
  });

  test("the longest possible row is accepted, and found", async () => {
    const shop = await openMerchant();
    const names = Object.keys(everyField).filter((name) => !/_status$|_at$|^country_code$/.test(name));
    for (const character of ["\u0001", "🐶", '"']) {
      const row = {
        email: `longest-${names.length}@customers.test`,
        ...Object.fromEntries(names.map((name) => [name, cutFor(name, character.repeat(10_000))])),
      };
      expectImported(await uploadJson([row], shop), 1);
      const { title, ip, ...shown } = row as Body;
      expect(await findByEmail(row.email, shop)).toMatchObject(shown);
    }
  });
});
