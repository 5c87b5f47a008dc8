/** A page of large records ends before it is too long, and its cursor goes on from there. */
import { describe, expect, test } from "vitest";
import { mostPageBytes } from "../../../src/kit/http/list/fitting-page.ts";
import { callTool } from "../../edges/mcp/session.ts";
import { api } from "../../support/client.ts";
import { entityOf, listed, logOf, profileOf, put, walk } from "../../support/records.ts";
import { useMerchant } from "../../support/use-account.ts";

const shop = useMerchant();
const entities = "/api/subscriptions/entities";

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** As much as an object may hold, each character of three bytes. */
const long = JSON.stringify({ text: "é€".repeat(9_990) });

type Page = { data: { id: string }[]; meta: { is_partial: boolean; next_cursor: string | null } };

describe("however large its records are", () => {
  test("a page of a list has as many as were asked for, read on and back", async () => {
    const profile = profileOf(shop.of);
    await put("profiles", [profile]);
    const rows = Array.from({ length: 90 }, (_, nth) =>
      entityOf(shop.of, profile.id, {
        name: `n${nth}`,
        attributes: long,
        created_at: `2026-01-01T00:00:${10 + (nth % 50)}.000Z`,
      }),
    );
    await put("entities", rows);
    const { ids, back, pages } = await walk(shop.of, entities, { limit: 60, sort_by: "name" });
    const expected = rows.map(({ name, id }) => ({ name, id })).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(ids).toEqual(expected.map(({ id }) => id));
    expect(back).toEqual(ids);
    expect(pages.map(({ data }) => data.length)).toEqual([60, 30]);
    for (const { meta } of pages)
      expect(meta).toMatchObject({ total: 90, total_is_estimate: false, is_partial: false });
    const { data } = await listed(shop.of, entities, { limit: 60 });
    expect(bytesOf(JSON.stringify(data))).toBeGreaterThan(mostPageBytes);
  });

  test("the stream of events ends a page before it is too long, and goes on from there", async () => {
    const logs = Array.from({ length: 90 }, () =>
      logOf(shop.of, { action: "integration_x", metadata: long }),
    );
    await put("activity_logs", logs);
    const found: string[] = [];
    for (let after = 0, more = true; more; ) {
      const query = { types: "integration.x", limit: 100, after };
      const { text, body } = await api<{
        data: { id: string }[];
        meta: { next_after: number; has_more: boolean };
      }>(...([shop.of, "GET", "/api/events", { query }] as const));
      expect(bytesOf(text)).toBeLessThanOrEqual(mostPageBytes + 1_000);
      found.push(...body.data.map(({ id }) => id));
      [after, more] = [body.meta.next_after, body.meta.has_more];
    }
    expect(found).toEqual(logs.map(({ id }) => id));
  });

  test("a tool's result stays below 4 MiB, as text too, and its cursor goes on", async () => {
    const found: string[] = [];
    for (let more = {}; found.length < 90; ) {
      const { answer, result } = await callTool(shop.admin, "listEntities", {
        limit: 100,
        full: true,
        ...more,
      });
      expect(bytesOf(answer.text)).toBeLessThan(4 * 1024 * 1024);
      const { data, meta } = result.structuredContent as Page;
      expect(bytesOf(JSON.stringify(data))).toBeLessThanOrEqual(mostPageBytes);
      found.push(...data.map(({ id }) => id));
      expect(meta.is_partial).toBe(found.length < 90);
      more = { cursor: meta.next_cursor };
    }
    expect(new Set(found).size).toBe(90);
  });
});
