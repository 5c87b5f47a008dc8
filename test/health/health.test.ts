import { expect, test } from "vitest";
import { api, deployment, nobody } from "../support/client.ts";

test("GET /health says storage and queue reachable, 200", async () => {
  const { status, body } = await api(nobody, "GET", "/health");
  expect(status).toBe(200);
  expect(body).toEqual({ status: "ok", storage: "ok", queue: "ok" });
});

test("GET /health is 503 with Retry-After where the storage is not reachable", async () => {
  const broken = { prepare: () => ({ run: () => Promise.reject(new Error("Network connection lost")) }) };
  const { status, headers, body } = await deployment({ DB: broken as unknown as D1Database })(
    nobody,
    "GET",
    "/health",
  );
  expect(status).toBe(503);
  expect(headers.get("Retry-After")).toMatch(/^\d+$/);
  expect(body).toMatchObject({ storage: "unreachable", queue: "ok" });
});

test("GET /health is 503 where the queue is not reachable", async () => {
  const broken = { metrics: () => Promise.reject(new Error("no queue")) };
  const { status, body } = await deployment({ JOBS: broken as unknown as Queue })(nobody, "GET", "/health");
  expect(status).toBe(503);
  expect(body).toMatchObject({ storage: "ok", queue: "unreachable" });
});
