/** The checksum of a text is the CRC-32 of its UTF-8 bytes. */
import { crc32 as platform } from "node:zlib";
import { expect, test } from "vitest";
import { crc32 } from "./crc32.ts";

test("the checksum of a text is the CRC-32 of its UTF-8, as the platform's", () => {
  expect(crc32("123456789")).toBe(0xcbf43926);
  for (const text of ["", "a", "prnl_", "ü\u{1f43e}", "x".repeat(1000)])
    expect(crc32(text)).toBe(platform(text));
});
