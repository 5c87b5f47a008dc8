import { describe, expect, test } from "vitest";
import { isSealedByFirst, seal, unseal } from "./sealed.ts";

const keyOf = (byte: number): string => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const key = keyOf(7);

test("what was sealed opens again, for its owner", async () => {
  for (const text of ["", "shpat_1", "ключ 🔑", "x".repeat(5000)])
    expect(await unseal(key, "account-1", await seal(key, "account-1", text))).toBe(text);
});

test("it does not show what it holds, and is another text each time", async () => {
  const [one, two] = [await seal(key, "a", "shpat_secret"), await seal(key, "a", "shpat_secret")];
  expect(one).not.toBe(two);
  expect(one).not.toContain("shpat");
});

test.each([
  ["another key", keyOf(8), "a"],
  ["another owner", key, "b"],
])("%s does not open it", async (_, otherKey, owner) => {
  await expect(unseal(otherKey, owner, await seal(key, "a", "secret"))).rejects.toThrow();
});

test("a changed text does not open", async () => {
  const sealed = await seal(key, "a", "secret");
  const changed = sealed.slice(0, -2) + (sealed.endsWith("AA") ? "BB" : "AA");
  await expect(unseal(key, "a", changed)).rejects.toThrow();
  await expect(unseal(key, "a", "nonsense")).rejects.toThrow();
});

test("a key of another length is refused", async () => {
  await expect(seal(btoa("short"), "a", "secret")).rejects.toThrow("32 bytes");
});

describe("replacing the key", () => {
  const [older, newer] = [keyOf(1), keyOf(2)];

  test("the first key seals, and each opens what it has sealed", async () => {
    const [before, after] = [await seal(older, "a", "one"), await seal(`${newer}, ${older}`, "a", "two")];
    expect(await unseal(`${newer},${older}`, "a", before)).toBe("one");
    expect(await unseal(newer, "a", after)).toBe("two");
    await expect(unseal(older, "a", after)).rejects.toThrow();
    await expect(unseal(newer, "a", before)).rejects.toThrow();
  });

  test("which key has sealed a text stands in it", async () => {
    const sealed = await seal(older, "a", "one");
    expect(sealed).toMatch(/^[0-9a-f]{8}\.[\w-]{16}\.[\w-]+$/);
    expect(await isSealedByFirst(older, sealed)).toBe(true);
    expect(await isSealedByFirst(`${newer},${older}`, sealed)).toBe(false);
  });

  test("a text that was sealed before keys had ids still opens, and is to be sealed anew", async () => {
    const withoutId = (await seal(older, "a", "one")).split(".").slice(1).join(".");
    expect(await unseal(`${newer},${older}`, "a", withoutId)).toBe("one");
    expect(await isSealedByFirst(older, withoutId)).toBe(false);
    await expect(unseal(newer, "a", withoutId)).rejects.toThrow();
  });
});
