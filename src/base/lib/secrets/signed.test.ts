/** A signature proves one text for one purpose under its own key, and has no second spelling. */
import { describe, expect, test } from "vitest";
import { randomSecret } from "./sealed.ts";
import { isSigned, sign } from "./signed.ts";

const [key, other] = [randomSecret(32), randomSecret(32)];
const text = "a text";

describe("a signature", () => {
  test("proves its text, for its purpose, under its key alone", async () => {
    const signature = await sign(key, "addresses", text);
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(await isSigned(key, "addresses", { text, signature })).toBe(true);
    expect(await isSigned(key, "addresses", { text: "a texT", signature })).toBe(false);
    expect(await isSigned(key, "letters", { text, signature })).toBe(false);
    expect(await isSigned(other, "addresses", { text, signature })).toBe(false);
  });

  test("has no other spelling", async () => {
    const signature = await sign(key, "addresses", text);
    for (const spelling of [
      signature.toUpperCase(),
      `${signature}00`,
      signature.slice(2),
      ` ${signature}`,
      `${signature}0`,
      "",
    ])
      expect(await isSigned(key, "addresses", { text, signature: spelling }), spelling).toBe(false);
    for (let at = 0; at < signature.length; at++) {
      const digit = signature[at] === "0" ? "1" : "0";
      const changed = signature.slice(0, at) + digit + signature.slice(at + 1);
      expect(await isSigned(key, "addresses", { text, signature: changed })).toBe(false);
    }
  });

  test("stays good while its key is being replaced, and is made with the first", async () => {
    const signature = await sign(key, "addresses", text);
    const both = `${other},${key}`;
    expect(await isSigned(both, "addresses", { text, signature })).toBe(true);
    expect(await sign(both, "addresses", text)).toBe(await sign(other, "addresses", text));
  });
});
