/** A sealed secret opens for its owner alone, and stays readable while its key is being replaced. */
import { describe, expect, test, vi } from "vitest";
import { findKeyFault, isSealedByFirst, randomSecret, reseal, seal, unseal } from "./sealed.ts";

function keyOf(byte: number): string {
  return btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
}
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
  for (const wrong of [btoa("short"), `${key},${btoa("x".repeat(33))}`, ""])
    await expect(seal(wrong, "a", "secret")).rejects.toThrow("The key must be 32 bytes in base64");
});

test("a key cannot be read again once it is taken in", async () => {
  const taken = vi.spyOn(crypto.subtle, "importKey");
  await seal(keyOf(99), "a", "secret");
  const keys = await Promise.all(taken.mock.results.map(({ value }) => value as Promise<CryptoKey>));
  taken.mockRestore();
  expect(keys.map(({ extractable }) => extractable)).toEqual([false]);
});

test("a new secret has as many random bytes as are asked for, in base64", () => {
  for (const bytes of [16, 32]) {
    const [one, other] = [randomSecret(bytes), randomSecret(bytes)];
    expect(Buffer.from(one, "base64")).toHaveLength(bytes);
    expect(Buffer.from(one, "base64").toString("base64")).toBe(one);
    expect(one).not.toBe(other);
  }
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

  test("a text that another key has sealed is sealed anew by the first, for the same owner", async () => {
    const before = await seal(older, "a", "one");
    const anew = await reseal(`${newer},${older}`, "a", before);
    expect(await isSealedByFirst(newer, anew!)).toBe(true);
    expect(await unseal(newer, "a", anew!)).toBe("one");
    await expect(unseal(newer, "b", anew!)).rejects.toThrow();
  });

  test("a text that the first has sealed stays as it is, one that no key opens is not sealed anew", async () => {
    const sealed = await seal(newer, "a", "one");
    expect(await reseal(`${newer},${older}`, "a", sealed)).toBe(sealed);
    expect(await reseal(older, "a", sealed)).toBeUndefined();
    expect(await reseal(newer, "b", await seal(older, "a", "one"))).toBeUndefined();
  });
});

describe("a setting of keys is judged part by part", () => {
  test.each([
    keyOf(1),
    keyOf(251).replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    `${keyOf(1)},${keyOf(2)}`,
    ` ${keyOf(1)} , ${keyOf(2).slice(0, 9)}\n${keyOf(2).slice(9)}`,
  ])("%j is taken", (keys) => {
    expect(findKeyFault(keys)).toBeUndefined();
  });

  test.each([
    ["", "key 1 of 1 must be 32 bytes in base64"],
    ["*", "key 1 of 1 must be 32 bytes in base64"],
    [`${keyOf(1)},`, "key 2 of 2 must be 32 bytes in base64"],
    [`,${keyOf(1)}`, "key 1 of 2 must be 32 bytes in base64"],
    [`${keyOf(1)}=`, "key 1 of 1 must be 32 bytes in base64"],
    [`*${keyOf(1).slice(1)}`, "key 1 of 1 must be 32 bytes in base64"],
    [`${keyOf(1)},${btoa("short")},${keyOf(2)}`, "key 2 of 3 must be 32 bytes in base64"],
    [`${keyOf(1)},${btoa("x".repeat(33))}`, "key 2 of 2 must be 32 bytes in base64"],
  ])("%j is refused, and the part is named", (keys, fault) => {
    expect(findKeyFault(keys)).toBe(fault);
  });
});
