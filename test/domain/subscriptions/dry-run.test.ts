/** A dry run of every change answers and fails as the real call then does, and writes and sends nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { allOperations } from "../../../src/runtime/operations.ts";
import { type Answer, api, deployment } from "../../support/client.ts";
import {
  addReason,
  addSlot,
  force,
  itemOf,
  type Json,
  on,
  outbox,
  read,
  rowOf,
  states,
  subscribe,
} from "../../support/shops.ts";
import { rowsOf } from "../../support/snapshot.ts";
import { useAccount } from "../../support/use-account.ts";
import { caseRows } from "../cancellation/leaving.ts";
import { cases, refusing } from "./dry-run.setup.ts";

const declared = await allOperations();

const account = useAccount();
let slot: string;
let reason: string;
beforeAll(async () => {
  slot = await addSlot(account, { day_of_week: 4, packing_day_of_week: 2 });
  reason = await addReason(account, "pause");
});

test("every operation that changes a subscription has a case", () => {
  const mutating = declared.filter(
    ({ path, method }) => path.startsWith("/api/subscriptions/{id}") && method !== "get",
  );
  expect(mutating.map(({ id }) => id).toSorted()).toEqual(Object.keys(cases).toSorted());
});

/** A response with the times and ids that the call generated replaced by fixed words. */
function withoutGenerated(body: Json, moments: string[], known: Set<string>): Json {
  return JSON.parse(
    JSON.stringify(body, (key, value) => {
      if (key.endsWith("_at") && moments.includes(value)) return "now";
      const isGenerated = (key === "id" || key === "store_discount_id") && !known.has(value);
      return isGenerated ? "new" : value;
    }),
  );
}

describe.each(Object.entries(cases))(
  "%s",
  (_, { method, part, body, prepare, invalid, creates, isBilling }) => {
    const createTarget = async () => {
      const id = await subscribe(account, { lines: [itemOf(account.plan), itemOf(account.plan)] });
      await prepare?.({ account, slot, reason, id });
      const { lines, discounts } = await read(account, id);
      const [opened] = await caseRows(id);
      const names = { line: lines[0].id, discount: discounts[0]?.id, case: opened?.id } as Json;
      const path = on(
        id,
        part.replace(/\{(\w+)\}/, (_, name) => names[name]),
      );
      return { id, path };
    };

    test("returns what the real call then returns; writes nothing, sends nothing", async () => {
      const { id, path } = await createTarget();
      const { sent, bindings } = outbox();
      const call = deployment(bindings);
      const requestBody = body?.({ account, slot, reason, id });
      const options = requestBody === undefined ? {} : { body: requestBody };
      const before = await rowsOf(account.of.account.id);
      const known = new Set(JSON.stringify(await read(account, id)).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
      const dry: Answer<Json> = await call(account.api, method, path, {
        ...options,
        query: { dry_run: true },
      });
      expect(dry.status, dry.text).toBe(200);
      expect(await rowsOf(account.of.account.id)).toBe(before);
      expect(sent).toEqual([]);
      const real: Answer<Json> = await call(account.api, method, path, { ...options, query: { dry_run: 0 } });
      expect(real.status).toBe(creates ? 201 : 200);
      expect(await rowsOf(account.of.account.id)).not.toBe(before);
      expect(dry.headers.get("Location")).toBeNull();
      expect([dry, real].map(({ headers }) => headers.get("Dry-Run"))).toEqual(["true", null]);
      if (isBilling) {
        const { billing_attempt_id } = real.body;
        const attempt = (
          await api<Json>(account.api, "GET", on(id, `billing-attempts/${billing_attempt_id}`))
        ).body;
        expect(dry.body.dry_run).toEqual(
          Object.fromEntries(Object.keys(dry.body.dry_run).map((name) => [name, attempt.data[name]])),
        );
        expect(dry.body.billing_attempt_id).toBeUndefined();
        expect((await rowOf(id)).open_attempt_id).toBe(billing_attempt_id);
        return;
      }
      const moments = [dry, real].flatMap(({ body: { data } }) => [data.updated_at, data.expires_at]);
      const { dry_run, ...shown } = dry.body;
      const { billing_attempt_id, ...answered } = real.body;
      expect(withoutGenerated(shown, moments, known)).toEqual(withoutGenerated(answered, moments, known));
      expect(dry_run, "nothing is owed: null both, where the operation may charge").toBe(billing_attempt_id);
      if (!creates) expect((await rowOf(id)).updated_at).toBe(real.body.data.updated_at);
    });

    test("fails where the real call fails, with the same error", async () => {
      const { id, path } = await createTarget();
      const both = async (to: string, options: object = {}) => {
        const answers = [
          await api<Json>(account.api, method, to, { ...options, query: { dry_run: 1 } }),
          await api<Json>(account.api, method, to, options),
        ];
        const failures = answers.map(({ status, body: { request_id: _, ...failure } }) => ({
          status,
          ...failure,
        }));
        expect(failures[0]).toEqual(failures[1]);
        return failures[0]!.status;
      };
      const options = body ? { body: body({ account, slot, reason, id }) } : {};
      if (invalid !== undefined) expect(await both(path, { body: invalid })).toBe(400);
      expect(await both(path.replace(id, newId()), options)).toBe(404);
      await force(id, refusing[part] ?? states.EXPIRED);
      expect(await both(path, options)).toBe(409);
      const unknown = await api<Json>(account.api, method, path, { ...options, query: { dryrun: 1 } });
      expect([unknown.status, unknown.body.details[0].path]).toEqual([400, "dryrun"]);
    });
  },
);

test("a dry run of update_all_active names the same subscriptions and writes nothing", async () => {
  const [first, second] = [await subscribe(account), await subscribe(account)];
  const body = { delivery_instructions: "Everywhere", update_all_active: true };
  const before = await rowsOf(account.of.account.id);
  const path = on(first, "delivery-instructions");
  const dry = await api<Json>(account.api, "PUT", path, { body, query: { dry_run: true } });
  expect(await rowsOf(account.of.account.id)).toBe(before);
  expect(dry.body.data.subscription_ids).toContain(second);
  expect((await api(account.api, "PUT", path, { body })).body).toEqual(dry.body);
});
