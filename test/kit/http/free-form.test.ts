/** A free-form object has at most 16,000 bytes as JSON, wherever one is taken. */
import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "../../../src/base/lib/ids.ts";
import { api } from "../../support/client.ts";
import { faults, orderOf, profileOf, put } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

const shop = useMerchant();
const profile_id = newId();
const order_id = newId();

beforeAll(async () => {
  await put("profiles", [profileOf(shop.of, { id: profile_id })]);
  await put("orders", [orderOf(shop.of, { id: order_id })]);
});

/** An object of so many bytes as JSON, of characters of four. */
function objectOf(bytes: number) {
  const left = bytes - JSON.stringify({ a: "" }).length;
  return { a: "😀".repeat(Math.floor(left / 4)) + "x".repeat(left % 4) };
}

const requests = [
  [
    "an entity's attributes",
    "/api/subscriptions/entities",
    "attributes",
    { entity_type: "dog", name: "Biscuit" },
  ],
  [
    "an entry's metadata",
    "/api/activity-logs",
    "metadata",
    { loggable_type: "order", action: "integration_x" },
  ],
] as const;

describe("a free-form object has at most 16,000 bytes as JSON", () => {
  test.each(requests)("%s", async (_, path, field, body) => {
    const send = (bytes: number) => {
      const of = field === "metadata" ? { loggable_id: order_id } : { profile_id };
      return api(shop.admin, "POST", path, { body: { ...body, ...of, [field]: objectOf(bytes) } });
    };
    expect((await send(16_000)).status).toBeLessThan(300);
    const refused = await send(16_001);
    expect(faults(refused)).toEqual([400, "VALIDATION_FAILED", field]);
    expect(refused.text).toContain("must have at most 16000 bytes as JSON");
  });

  test("a change of an entity too", async () => {
    const body = { profile_id, entity_type: "dog", name: "Biscuit" };
    const made = await api<{ data: { id: string } }>(shop.admin, "POST", "/api/subscriptions/entities", {
      body,
    });
    const change = { body: { attributes: objectOf(16_001) } };
    const answer = await api(shop.admin, "PUT", `/api/subscriptions/entities/${made.body.data.id}`, change);
    expect(faults(answer)).toEqual([400, "VALIDATION_FAILED", "attributes"]);
  });
});
