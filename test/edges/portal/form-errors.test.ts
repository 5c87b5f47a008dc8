/** A form that is refused keeps what was typed, and names and marks the fields in the customer's language. */
import { beforeEach, describe, expect, test } from "vitest";
import { day } from "../../../src/base/language/format.ts";
import { textsOf } from "../../../src/edges/portal/pages/texts/index.ts";
import { api } from "../../support/client.ts";
import {
  addReason,
  inDays,
  type Json,
  on,
  openShop,
  read,
  type Shop,
  subscribe,
} from "../../support/shops.ts";
import { useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();
let shop: Shop;
let id: string;
let visitor: ReturnType<typeof openVisitor>;
beforeEach(async () => {
  shop = await openShop();
  await switchOn(worker, shop, { max_pause_days: 30 });
  id = await subscribe(shop);
});

async function enter(locale: string): Promise<void> {
  visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
}

function send(action: string, form: Record<string, string>) {
  return visitor.post(`/subscriptions/${id}/${action}`, form);
}

async function upcoming(): Promise<Json[]> {
  return (await api<Json>(shop.api, "GET", on(id, "upcoming"))).body.data;
}

function alertIn(text: string): string {
  return (/<p class="alert"[^>]*>(.*?)<\/p>/s.exec(text)?.[1] ?? "").replaceAll(/<[^>]+>/g, "");
}

function tagsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([tag]) => tag);
}

function invalidIn(text: string): string[] {
  return tagsIn(text, /<[^>]*aria-invalid="true"[^>]*>/g);
}

function focusedIn(text: string): string[] {
  return tagsIn(text, /<[^>]* autofocus[^>]*>/g);
}

function titleOf(text: string): string {
  return /<title>(.*?)<\/title>/s.exec(text)?.[1] ?? "";
}

function shown(days: number): string {
  return day("en", inDays(days));
}

describe("a form that the API refuses", () => {
  test.each([
    ["en", "Postal code", "City"],
    ["de", "Postleitzahl", "Ort"],
    ["fr", "Code postal", "Ville"],
    ["es", "Código postal", "Ciudad"],
  ])(
    "names the fields in %s, marks each, focuses the first, and keeps what was typed",
    async (locale, zip, city) => {
      await enter(locale);
      const form = { address1: "2 Low Street", country_code: "DE" };
      const { status, text } = await send("address", form);
      expect(status).toBe(400);
      expect(alertIn(text)).toContain(zip);
      expect(alertIn(text)).toContain(city);
      const invalid = invalidIn(text);
      expect(invalid.map((tag) => /name="(\w+)"/.exec(tag)?.[1])).toEqual(["zip", "city"]);
      for (const tag of invalid) {
        const [, described = ""] = /aria-describedby="([\w-]+)"/.exec(tag) ?? [];
        expect(text).toMatch(new RegExp(`<a id="${described}" href="#fault-(zip|city)">`));
      }
      expect(focusedIn(text)).toEqual([invalid[0]]);
      expect(text).toContain('value="2 Low Street"');
      expect(text).toContain('<option value="DE" selected>');
      expect(titleOf(text)).toBe(
        `${textsOf(locale as "en").rules.errorIn(textsOf(locale as "en").actions.address)} · ${shop.of.account.name}`,
      );
    },
  );

  test("leads from the message to the field", async () => {
    await enter("en");
    const { text } = await send("schedule", { next_delivery_date: inDays(-2) });
    const [, target = "none"] = /<p class="alert"[^>]*>.*?href="#([\w-]+)"/s.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`<input[^>]* id="${target}"`));
    expect(text).toContain(`value="${inDays(-2)}"`);
    expect(alertIn(text)).toContain("New date");
  });

  test("marks what an address lacks altogether", async () => {
    await enter("en");
    const { text } = await send("address", { delivery_address_id: "other" });
    expect(alertIn(text)).toContain("Street and number: Please fill this in.");
    expect(invalidIn(text).length).toBeGreaterThanOrEqual(3);
  });

  test.each(["en", "de", "fr", "es"] as const)(
    "says in %s the last day to which a delivery can be moved, which is taken",
    async (locale) => {
      await enter(locale);
      const refused = await send("schedule", { next_delivery_date: inDays(900), scope: "following" });
      expect(refused.status).toBe(400);
      const [, last = ""] = / max="([\d-]+)"/.exec(refused.text) ?? [];
      expect(alertIn(refused.text)).toContain(textsOf(locale).rules.until(day(locale, last)));
      const taken = await send("schedule", { next_delivery_date: last, scope: "following", confirm: "1" });
      expect(taken.status).toBe(303);
      expect((await read(shop, id)).next_delivery_date).toBe(last);
      const [, after] = (await upcoming()).map((one) => one.delivery_date);
      const beyond = await send("schedule", { next_delivery_date: after!, scope: "following", confirm: "1" });
      expect(beyond.status).toBe(400);
    },
  );

  test("marks a choice as a group", async () => {
    await addReason(shop, "skip");
    await enter("en");
    const { status, text } = await send("skip", { count: "3" });
    expect(status).toBe(400);
    expect(alertIn(text)).toContain("Please choose a reason.");
    expect(invalidIn(text)).toEqual([expect.stringMatching(/^<fieldset role="radiogroup"/)]);
    expect(focusedIn(text)).toEqual([expect.stringContaining('name="skip_reason_id"')]);
    expect(text).toMatch(/name="count" value="3" checked/);
  });

  test.each([
    ["frequency", { frequency: "YEAR-2" }, "does not offer this frequency"],
    ["frequency", { frequency: "" }, "Frequency: Please choose one."],
    ["frequency", { frequency: "YEAR-0" }, "Frequency: At least 1."],
    ["pause", { pause_until: inDays(200) }, `Until: At most 30 days: choose a day until ${shown(30)}.`],
    ["pause", {}, `Until: At most 30 days: choose a day until ${shown(30)}.`],
    ["pause", { pause_until: inDays(-3) }, `Until: Choose a day from ${shown(1)} on.`],
    ["pause", { pause_until: "soon" }, "Until: Choose a day."],
    ["schedule", { next_delivery_date: inDays(-2) }, `New date: Choose a day from ${shown(0)} on.`],
    ["instructions", { delivery_instructions: "x".repeat(1001) }, "At most 1000 characters."],
    [
      "address",
      { address1: "2 Low Street", city: "Leeds", zip: "1", country_code: "QQ" },
      "Country: Please choose one.",
    ],
    [
      "address",
      { address1: "x".repeat(256), city: "y", zip: "1", country_code: "DE" },
      "At most 255 characters.",
    ],
    ["payment-method", {}, undefined],
  ])("%s: %j names %s", async (action, form, name) => {
    await switchOn(worker, shop, {
      frequencies: [1, 2].map((interval_count) => ({ interval: "WEEK", interval_count })),
    });
    await enter("en");
    const { status, text } = await send(action, form as Record<string, string>);
    expect(status).toBe(400);
    if (name === undefined) return;
    expect(alertIn(text)).toContain(name);
    expect(invalidIn(text)).toHaveLength(1);
    expect(focusedIn(text)).toHaveLength(1);
  });

  test("has no optional mark in the name of a field", async () => {
    await enter("de");
    const { text } = await send("pause", { pause_until: inDays(200) });
    expect(alertIn(text)).toMatch(/^Bis: Höchstens 30 Tage: Wählen Sie einen Tag bis .*\.$/);
  });
});

describe("the customer's own details", () => {
  test("an address that is refused is shown again as it was typed, with what is wrong", async () => {
    await enter("de");
    const form = {
      first_name: "Ada",
      address1: "2 Low Street",
      city: "Leeds",
      country_code: "QQ",
      country: "X",
    };
    const { status, text } = await visitor.post("/profile/addresses", form);
    expect(status).toBe(400);
    expect(alertIn(text)).toContain("Postleitzahl");
    expect(text).toContain('value="2 Low Street"');
    expect(invalidIn(text).map((tag) => /name="(\w+)"/.exec(tag)?.[1])).toContain("zip");
    expect(focusedIn(text)).toHaveLength(1);
  });

  test("a name that is refused is shown again as it was typed, and marked in its own form alone", async () => {
    await enter("en");
    const long = "x".repeat(10_001);
    const { status, text } = await visitor.post("/profile", { first_name: long, phone_number: "99" });
    expect(status).toBe(400);
    expect(alertIn(text)).toContain("First name");
    expect(text).toContain(`value="${long}"`);
    expect(text).toContain('value="99"');
    expect(invalidIn(text)).toHaveLength(1);
  });
});

test("an e-mail address that is none is marked in the form that signs in, and kept", async () => {
  const stranger = openVisitor(worker, shop);
  await worker.call(shop.api, "POST", "/api/webhook-endpoints", {
    body: { url: "https://mailer.example.com/in" },
  });
  const { status, text } = await stranger.post("/login", { email: "nobody" });
  expect(status).toBe(400);
  expect(alertIn(text)).toBe("E-mail address: Enter it like this: ada@example.com");
  expect(invalidIn(text)).toEqual([expect.stringContaining('name="email"')]);
  expect(text).toContain('value="nobody"');
});

describe("an address", () => {
  test.each([
    ["en", "Germany"],
    ["de", "Deutschland"],
    ["fr", "Allemagne"],
    ["es", "Alemania"],
  ])("has one choice of the country, by its name in %s", async (locale, name) => {
    await enter(locale);
    for (const path of [`/subscriptions/${id}/address`, "/profile"]) {
      const { text } = await visitor.get(path);
      expect(text).toContain(`<option value="DE">${name}</option>`);
      expect(text).not.toContain('<input name="country');
    }
  });

  test.each([
    ["DE", ["zip", "city", "province"]],
    ["US", ["city", "province", "zip"]],
    ["GB", ["city", "province", "zip"]],
  ])("of %s is asked for in the order of its country", async (country_code, order) => {
    await enter("en");
    const { text } = await send("address", { address1: "2 Low Street", country_code });
    const names = [...text.matchAll(/<input name="(zip|city|province)"/g)].map(([, each]) => each);
    expect(names).toEqual(order);
    expect(text).toContain(`<option value="${country_code}" selected>`);
    expect(focusedIn(text)).toEqual([expect.stringContaining(`name="${order[0]}"`)]);
  });
});
