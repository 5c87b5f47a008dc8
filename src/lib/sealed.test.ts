import { expect, test } from "vitest";
import { seal, unseal } from "./sealed.ts";

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
