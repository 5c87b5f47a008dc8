/** An endless body is not read further than its limit by an object. */
import { expect, test } from "vitest";
import { api } from "../../support/client.ts";
import { openTenant } from "../../support/tenant.ts";

test("an endless body is not read further than its limit: 413 from the object", async () => {
  const of = await openTenant({ engine: "object" });
  let sent = 0;
  const raw = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      if (sent > 64 * 1024 * 1024) controller.close();
      else controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  const headers = { "Content-Type": "application/json" };
  const { status } = await api(of, "POST", "/api/subscriptions/skip-reasons", { raw, headers });
  expect(status).toBe(413);
  expect(sent).toBeLessThan(8 * 1024 * 1024);
});
