/** Our encodings of bytes, digests and ids give what Node's own give, for any input. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../../test/support/seeded.ts";
import { base64url, bytesOfBase64url, bytesOfHex, hexOf, sha256Hex } from "./encoding.ts";
import { isId, newId } from "./ids.ts";

test("base64url is Node's own, for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(base64url(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
      expect(bytesOfBase64url(base64url(bytes))).toEqual(bytes);
    }),
    seeded(200),
  );
  expect(base64url(Uint8Array.of(251, 239, 190, 255, 255, 255))).toBe("----____");
  expect(bytesOfBase64url("----____")).toEqual(Uint8Array.of(251, 239, 190, 255, 255, 255));
  expect(base64url(Uint8Array.of(0))).toBe("AA");
});

test("the bytes that hexadecimal digits spell are Node's own, for any digits", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(bytesOfHex(Buffer.from(bytes).toString("hex"))).toEqual(bytes);
      expect(hexOf(bytes)).toBe(Buffer.from(bytes).toString("hex"));
    }),
    seeded(200),
  );
  expect(bytesOfHex("")).toEqual(new Uint8Array());
  expect(bytesOfHex("00ffA0")).toEqual(Uint8Array.of(0, 255, 160));
});

test("the digest of a text is that of its UTF-8 bytes, in lower-case hex with every nought", async () => {
  for (const text of ["", "Grüße, 日本", "39"]) {
    const expected = createHash("sha256").update(text, "utf8").digest("hex");
    expect(await sha256Hex(text)).toBe(expected);
    expect(await sha256Hex(Uint8Array.from(Buffer.from(text)))).toBe(expected);
  }
});

test("a new id is an id, and a later one sorts behind it", async () => {
  const first = newId();
  await new Promise((resolve) => setTimeout(resolve, 2));
  const second = newId();
  expect(isId(first)).toBe(true);
  expect(first[14]).toBe("7");
  expect(first < second).toBe(true);
});

const id = "019a0000-0000-7000-800d-0000000000af";
test.each([
  [id, true],
  [`x${id}`, false],
  [`${id}x`, false],
  [id.toUpperCase(), false],
  [id.replaceAll("-", ""), false],
  [id.replace("9", "g"), false],
  [id.slice(1), false],
  ["", false],
])("%j as an id: %s", (text, expected) => {
  expect(isId(text)).toBe(expected);
});
