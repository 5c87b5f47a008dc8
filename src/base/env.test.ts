/** A deployment refuses to start with a wrong setting, and names the part that is wrong. */
import { describe, expect, test } from "vitest";
import { type Bindings, parseEnv } from "./env.ts";

function keyOf(byte: number): string {
  return btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
}
const publicUrl = { PUBLIC_URL: "https://subscriptions.example.com" };
function settings(more: object) {
  return parseEnv({ ...publicUrl, ...more } as Bindings);
}

describe("every part of STORE_CREDENTIALS_KEY is checked at start", () => {
  test.each([
    ["", "key 1 of 1"],
    [`${keyOf(1)},`, "key 2 of 2"],
    [`,${keyOf(1)}`, "key 1 of 2"],
    [`${keyOf(1)},${keyOf(2).slice(4)}`, "key 2 of 2"],
    ["*", "key 1 of 1"],
  ])("%j is refused, and the part is named", (keys, part) => {
    expect(() => settings({ STORE_CREDENTIALS_KEY: keys })).toThrow(`${part} must be 32 bytes in base64`);
  });

  test("one key and several are taken, also with spaces between them", () => {
    for (const keys of [keyOf(1), `${keyOf(2)}, ${keyOf(1)}`])
      expect(settings({ STORE_CREDENTIALS_KEY: keys }).STORE_CREDENTIALS_KEY).toBe(keys);
  });
});

describe("PUBLIC_URL is an origin, checked at start", () => {
  test.each([
    "https://subscriptions.example.com",
    "https://subscriptions.example.com:8443",
    "http://127.0.0.1:8787",
    "http://localhost:8787",
  ])("%s is taken", (url) => {
    expect(settings({ PUBLIC_URL: url }).PUBLIC_URL).toBe(url);
  });

  test.each([
    [undefined, "is not set"],
    ["", "must be an origin"],
    ["subscriptions.example.com", "must be an origin"],
    ["http://subscriptions.example.com", "must begin with https://"],
    ["javascript:alert(1)", "must begin with https://"],
    ["https://subscriptions.example.com/", "must be an origin alone"],
    ["https://subscriptions.example.com/shop", "must be an origin alone"],
    ["https://ada@subscriptions.example.com", "must be an origin alone"],
    ["https://subscriptions.example.com?x", "must be an origin alone"],
    ["https://Subscriptions.example.com", "must be an origin alone"],
  ])("%s is refused, and the setting is named", (url, reason) => {
    expect(() => settings({ PUBLIC_URL: url })).toThrow(reason);
    expect(() => settings({ PUBLIC_URL: url })).toThrow("PUBLIC_URL");
  });
});
