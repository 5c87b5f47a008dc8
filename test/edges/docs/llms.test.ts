/** The text for language models names every operation of the document and the way in for agents. */
import { expect, test } from "vitest";
import { api, nobody } from "../../support/client.ts";
import { operations } from "../../support/document.ts";

test("GET /llms.txt names every operation, the guides, and the address that agents connect to", async () => {
  const { status, headers, text } = await api(nobody, "GET", "/llms.txt");
  expect(status).toBe(200);
  expect(headers.get("Content-Type")).toMatch(/^text\/plain/);
  for (const { method, path, summary } of operations)
    expect(text).toContain(`- ${method.toUpperCase()} ${path}: ${summary}`);
  for (const part of ["/mcp", "/docs/index.html", "X-API-Key", "preview"]) expect(text).toContain(part);
});
