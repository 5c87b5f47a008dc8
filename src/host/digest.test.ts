/** A digest is the same whether it is made at once or by another thread. */
import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { digestAtOnce } from "./digest.ts";

digestAtOnce();

test.each([0, 1, 64 * 1024, 64 * 1024 + 1])("of %i bytes, in whichever form they are given", async (size) => {
  const bytes = randomBytes(size);
  const within = Buffer.concat([bytes, bytes]).subarray(size);
  const whole = new Uint8Array(bytes).buffer;
  for (const [algorithm, name] of [
    ["SHA-256", "sha256"],
    ["SHA-512", "sha512"],
    [{ name: "SHA-256" }, "sha256"],
  ] as const)
    for (const data of [bytes, within, whole]) {
      const digest = await crypto.subtle.digest(algorithm, data);
      expect(Buffer.from(digest).toString("hex")).toBe(createHash(name).update(bytes).digest("hex"));
    }
});

test("of an algorithm that there is not is refused", async () => {
  await expect(crypto.subtle.digest("SHA-0", new Uint8Array())).rejects.toThrow();
});
