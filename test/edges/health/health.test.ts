/** The health check answers 200 only while the storage and the queue are reachable. */
import { expect, test } from "vitest";
import { type Answer, api, deployment, nobody } from "../../support/client.ts";
import { expectDocumented } from "../../support/conform.ts";
import { operations } from "../../support/document.ts";

const health = operations.find(({ path }) => path === "/health")!;

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers.get("Retry-After")).toMatch(/^\d+$/);
  expectDocumented(health, answer);
}

test("GET /health is 200 when storage and queue are reachable", async () => {
  const answer = await api(nobody, "GET", "/health");
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ status: "ok", storage: "ok", queue: "ok" });
});

test("GET /health is 503 with the error envelope when the storage is not reachable", async () => {
  const DB = {
    prepare: () => ({ run: () => Promise.reject(new Error("Network connection lost")) }),
  } as unknown as D1Database;
  const answer = await deployment({ DB })(nobody, "GET", "/health");
  expect(answer.text).toContain("storage");
  expectUnavailable(answer);
});

test("GET /health is 503 with the error envelope when the queue is not reachable", async () => {
  const JOBS = { metrics: () => Promise.reject(new Error("no queue")) } as unknown as Queue;
  const answer = await deployment({ JOBS })(nobody, "GET", "/health");
  expect(answer.text).toContain("queue");
  expectUnavailable(answer);
});
