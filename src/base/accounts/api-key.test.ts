/** An API key proves its own text: its id can be read from it, and a single changed character makes it no key. */
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { demoApiKey, demoId } from "../demo.ts";
import { newId } from "../lib/ids.ts";
import { calculateChecksum, keyIdOf, newKeyText } from "./api-key.ts";

test("a new key's text leads to its id", () => {
  const id = newId();
  expect(keyIdOf(newKeyText(id))).toBe(id);
});

test("no two texts of a key are the same", () => {
  expect(newKeyText("a")).not.toBe(newKeyText("a"));
});

test.each([
  ["", "000000"],
  ["123456789", "3jZRME"],
  [`prnl_${demoId("api_key", 1)}_demo-store-local-key-never-used-elsewhere-0`, "1TTXgn"],
])("the checksum of %j is %s", (body, checksum) => {
  expect(calculateChecksum(body)).toBe(checksum);
});

test("the checksum is the CRC-32 in base62, the highest digit first, padded with 0", () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const numberOf = (text: string) =>
    [...text].reduce((value, digit) => value * 62 + digits.indexOf(digit), 0);
  fc.assert(
    fc.property(fc.string(), (body) => {
      expect(calculateChecksum(body)).toMatch(/^[0-9A-Za-z]{6}$/);
      expect(numberOf(calculateChecksum(body))).toBe(crc32(body));
    }),
  );
});

test("the demo key is a key", () => {
  expect(keyIdOf(demoApiKey)).toBe(demoId("api_key", 1));
});

test("no single changed character goes unnoticed", () => {
  const text = newKeyText(newId());
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      fc.pre(text[at] !== character);
      expect(keyIdOf(text.slice(0, at) + character + text.slice(at + 1))).toBeUndefined();
    }),
  );
});

test.each(["", "garbage", `key_${newId()}_${"A".repeat(43)}`, `prnl_${newId()}_${"A".repeat(49)}`])(
  "%j is no key",
  (text) => {
    expect(keyIdOf(text)).toBeUndefined();
  },
);
