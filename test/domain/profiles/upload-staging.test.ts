/** Rows that an upload stages are seen by nobody, and are gone after it, whether it succeeds or dies. */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import worker from "../../../src/worker.ts";
import { api, deployment } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { faults, type Merchant, openMerchant, profileOf, put } from "../../support/records.ts";
import { interrupted } from "../../support/slow-database.ts";
import {
  countProfiles,
  expectImported,
  newEmail,
  path,
  slow,
  uploadPath,
  useUploads,
} from "./upload.setup.ts";

const { uploadJson, findByEmail } = useUploads();

describe("staged rows", () => {
  const stagedOf = ({ of }: Merchant) =>
    select(
      "SELECT id FROM profile_uploads WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      of.account.id,
    );
  const upload = (
    as: Merchant,
    { matching, hooks }: { matching: RegExp; hooks: Parameters<typeof interrupted>[1] },
  ) =>
    deployment({ DB: interrupted(matching, hooks) })(as.admin, "POST", uploadPath, {
      body: Array.from({ length: 5 }, (_, nth) => ({
        email: `staged-${nth}@customers.test`,
        first_name: "x".repeat(10_000),
      })),
    });
  const applying = /^INSERT INTO guards/;
  const lost = () => Promise.reject(new Error("Network connection lost"));

  test("are deleted when they are applied", async () => {
    const shop = await openMerchant();
    expectImported(await uploadJson([{ email: newEmail() }], shop), 1);
    expect(await stagedOf(shop)).toEqual([]);
  });

  test("are visible to nobody before, and deleted if the request fails", async () => {
    const shop = await openMerchant();
    const counts: number[] = [];
    const before = async () => {
      counts.push((await stagedOf(shop)).length, await countProfiles(shop));
      await lost();
    };
    expect((await upload(shop, { matching: applying, hooks: { before } })).status).toBe(503);
    expect(counts).toEqual([1, 0]);
    expect(await stagedOf(shop)).toEqual([]);
    expect(await countProfiles(shop)).toBe(0);
  });

  test("of a request that died are deleted by cron within the hour, and only those", async () => {
    const shop = await openMerchant();
    expect((await upload(shop, { matching: /profile_uploads/, hooks: { after: lost } })).status).toBe(503);
    const stage = (id: string, at: number) =>
      execute(
        "INSERT INTO profile_uploads VALUES (?, (SELECT seq FROM accounts WHERE id = ?), 0, '[]', ?)",
        id,
        shop.of.account.id,
        new Date(Date.now() - at).toISOString(),
      );
    await stage("old", 3_700_000);
    await stage("young", 1_000_000);
    await worker.scheduled(createScheduledController({ scheduledTime: Date.now() }), env);
    expect((await stagedOf(shop)).map(({ id }) => id)).not.toContain("old");
    expect((await stagedOf(shop)).map(({ id }) => id)).toContain("young");
  });

  test("no statement carries more than a piece, whatever is uploaded", slow, async () => {
    const shop = await openMerchant();
    const sizes: number[] = [];
    const { prepare } = env.DB;
    const DB = {
      batch: env.DB.batch.bind(env.DB),
      prepare(sql: string) {
        const statement = prepare.call(env.DB, sql);
        return Object.assign(Object.create(statement), {
          bind: (...values: unknown[]) => {
            sizes.push(...values.map((value) => String(value).length));
            return statement.bind(...values);
          },
        });
      },
    } as unknown as D1Database;
    const cell = "\u0001".repeat(10_000);
    const lines = Array.from({ length: 500 }, (_, nth) => `long-${nth}@customers.test,${cell},${cell}`);
    const raw = ["email,first_name,last_name", ...lines].join("\n");
    const headers = { "Content-Type": "text/csv" };
    const upload = deployment({ DB });
    expectImported(await upload(shop.admin, "POST", uploadPath, { raw, headers }), 500);
    expect(Math.max(...sizes)).toBeLessThan(1_200_000);
    expect(await countProfiles(shop)).toBe(500);
  });
});

describe("at once", () => {
  test("two uploads of the same new customers: each is 200 or VERSION_CONFLICT, and each customer exists once", async () => {
    const shop = await openMerchant();
    const rows = (first_name: string) =>
      Array.from({ length: 300 }, (_, index) => ({ email: `both-${index}@customers.test`, first_name }));
    const answers = await Promise.all([
      uploadJson(rows("One"), shop),
      uploadJson(rows("Two"), shop),
      uploadJson(rows("Three"), shop),
    ]);
    for (const answer of answers)
      if (answer.status !== 200) expect(faults(answer)).toEqual([409, "VERSION_CONFLICT"]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await countProfiles(shop)).toBe(300);
    const names = await select(
      "SELECT DISTINCT first_name AS name FROM profiles WHERE account_seq = (SELECT seq FROM accounts WHERE id = ?)",
      shop.of.account.id,
    );
    expect(names).toHaveLength(1);
  });

  test("an upload and an update of one profile: neither loses the other's field", async () => {
    const shop = await openMerchant();
    const profile = profileOf(shop.of, { email: "race@customers.test" });
    await put("profiles", [profile]);
    const answers = await Promise.all([
      uploadJson([{ email: "race@customers.test", first_name: "Uploaded" }], shop),
      api(shop.admin, "PUT", `${path}/${profile.id}`, { body: { last_name: "Put" } }),
    ]);
    const after = (await findByEmail("race@customers.test", shop))!;
    expect([after.first_name, after.last_name]).toEqual([
      answers[0].status === 200 ? "Uploaded" : null,
      answers[1].status === 200 ? "Put" : null,
    ]);
  });
});
