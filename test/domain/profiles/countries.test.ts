/** A country is known by its code or name in any language, and both follow from either. */
import { beforeAll, describe, expect, test } from "vitest";
import { callTool, errorOf } from "../../edges/mcp/session.ts";
import { api } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { type Json, on, openShop, type Shop, subscribe } from "../../support/shops.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});

type Country = { country?: string | null; country_code?: string | null };
type Stored = [country: string | null, code: string | null];

const street = { address1: "1 High Street", city: "Somewhere", zip: "1" };
let emails = 0;
function newEmail(): string {
  return `country-${++emails}@customers.test`;
}

/** The places where a request can name a country: each returns the answer, and both fields as they are stored. */
const places: Record<string, (sent: Country) => Promise<{ answer: Json; stored?: Json }>> = {
  "a profile": async (sent) => {
    const answer = await api<Json>(shop.admin, "POST", "/api/profiles", {
      body: { email: newEmail(), ...sent },
    });
    return { answer, stored: answer.body.data };
  },
  "an upload as JSON": async (sent) => {
    const email = newEmail();
    const body = [{ email, ...sent }];
    const answer = await api<Json>(shop.admin, "POST", "/api/profiles/bulk-upload", { body });
    const [stored] = await select("SELECT country, country_code FROM profiles WHERE email = ?", email);
    return { answer, stored };
  },
  "an upload as CSV": async (sent) => {
    const email = newEmail();
    const names = Object.keys(sent);
    const raw = `${["email", ...names].join(",")}\n${[email, ...Object.values(sent)].join(",")}\n`;
    const headers = { "Content-Type": "text/csv" };
    const answer = await api<Json>(shop.admin, "POST", "/api/profiles/bulk-upload", { raw, headers });
    const [stored] = await select("SELECT country, country_code FROM profiles WHERE email = ?", email);
    return { answer, stored };
  },
  "an address of a profile": async (sent) => {
    const body = { ...street, ...sent };
    const answer = await api<Json>(shop.admin, "POST", `/api/profiles/${shop.profileId}/addresses`, { body });
    return { answer, stored: answer.body.data };
  },
  "a customer's own address": async (sent) => {
    const body = { ...street, ...sent };
    const answer = await api<Json>(shop.customer, "POST", "/api/portal/me/addresses", { body });
    return { answer, stored: answer.body.data };
  },
  "the delivery address of a subscription": async (sent) => {
    const body = { ...street, ...sent };
    const answer = await api<Json>(shop.api, "PUT", on(await subscribe(shop), "delivery-address"), { body });
    return { answer, stored: answer.body.data?.delivery_address };
  },
};

beforeAll(async () => {
  const body = { is_enabled: true };
  expect((await api(shop.api, "PUT", "/api/account/portal", { body })).status).toBe(200);
});

describe.each(Object.entries(places))("%s", (place, send) => {
  test.each<[Country, Stored]>([
    [{ country: "Germany", country_code: "DE" }, ["Germany", "DE"]],
    [{ country: "Deutschland", country_code: "de" }, ["Deutschland", "DE"]],
    [{ country: "de", country_code: "DE" }, ["de", "DE"]],
    [{ country: "Suomi", country_code: "FI" }, ["Suomi", "FI"]],
    [{ country_code: "US" }, ["United States", "US"]],
    [{ country_code: "fr" }, ["France", "FR"]],
    [{ country: "Espa\u00f1a" }, ["Espa\u00f1a", "ES"]],
    [{ country: "UK" }, ["UK", "GB"]],
  ])("%j is stored as %j", async (sent, [country, country_code]) => {
    const { answer, stored } = await send(sent);
    expect(answer.status, answer.text).toBeLessThan(300);
    expect(stored).toMatchObject({ country, country_code });
  });

  test.each<[Country, string, string]>([
    [{ country_code: "zz" }, "country_code", "must be an ISO 3166-1 code of a country, such as US"],
    [{ country_code: "XX" }, "country_code", "must be an ISO 3166-1 code of a country, such as US"],
    [{ country_code: "USA" }, "country_code", "must be an ISO 3166-1 code of a country, such as US"],
    [
      { country: "Germany", country_code: "US" },
      "country",
      "must be the country of country_code US, United States, or absent",
    ],
    [
      { country: "Atlantis", country_code: "AT" },
      "country",
      "must be the country of country_code AT, Austria, or absent",
    ],
  ])("%j is 400 that names %s", async (sent, path, message) => {
    const { answer } = await send(sent);
    expect([answer.status, answer.body.errorCode]).toEqual([400, "VALIDATION_FAILED"]);
    const at = place.startsWith("an upload") ? `profiles.0.${path}` : path;
    expect(answer.body.details).toEqual([{ path: at, message }]);
  });
});

describe("a country that nobody knows, without a code", () => {
  test("stays as it is in a profile, and has no code", async () => {
    const { stored } = await places["a profile"]!({ country: "Atlantis" });
    expect([stored.country, stored.country_code]).toEqual(["Atlantis", undefined]);
  });

  test.each([
    "an address of a profile",
    "a customer's own address",
    "the delivery address of a subscription",
  ])("is 400 in %s, which cannot do without one", async (place) => {
    for (const [sent, message] of [
      [{ country: "Atlantis" }, "is required, because no country is known by this name"],
      [{}, "is required"],
    ] as const) {
      const { answer } = await places[place]!(sent);
      expect(answer.body.details).toEqual([{ path: "country_code", message }]);
    }
  });
});

describe("a change names one of the two, and the other follows", () => {
  const changed = async (path: string, body: Country): Promise<Stored> => {
    const answer = await api<Json>(shop.admin, "PUT", path, { body });
    expect(answer.status, answer.text).toBe(200);
    return [answer.body.data.country, answer.body.data.country_code ?? null];
  };

  test.each<[Country, Stored]>([
    [{ country_code: "DE" }, ["Deutschland", "DE"]],
    [{ country_code: "US" }, ["United States", "US"]],
    [{ country: "France" }, ["France", "FR"]],
    [{ country: "Germany" }, ["Germany", "DE"]],
    [{}, ["Deutschland", "DE"]],
  ])("of Deutschland, DE, the change %j makes %j, in a profile and in an address", async (body, expected) => {
    const before = { country: "Deutschland", country_code: "DE" };
    const { answer: profile } = await places["a profile"]!(before);
    expect(await changed(`/api/profiles/${profile.body.data.id}`, body)).toEqual(expected);
    const { answer: address } = await places["an address of a profile"]!(before);
    const path = `/api/profiles/${shop.profileId}/addresses/${address.body.data.id}`;
    expect(await changed(path, body)).toEqual(expected);
  });

  test.each<[Country, Stored]>([
    [{ country: "Atlantis" }, ["Atlantis", null]],
    [{ country_code: null }, ["Deutschland", null]],
    [{ country: null }, [null, "DE"]],
    [{ country: null, country_code: null }, [null, null]],
    [{ country: null, country_code: "US" }, ["United States", "US"]],
    [{ country: "Espa\u00f1a", country_code: null }, ["Espa\u00f1a", "ES"]],
  ])("of a profile in Deutschland, DE, the change %j makes %j", async (body, expected) => {
    const { answer } = await places["a profile"]!({ country: "Deutschland", country_code: "DE" });
    expect(await changed(`/api/profiles/${answer.body.data.id}`, body)).toEqual(expected);
  });

  test("an upload changes it likewise", async () => {
    const email = newEmail();
    for (const [row, country, country_code] of [
      [{ country: "Deutschland" }, "Deutschland", "DE"],
      [{ country_code: "DE" }, "Deutschland", "DE"],
      [{ country_code: "IT" }, "Italy", "IT"],
      [{ city: "Rome" }, "Italy", "IT"],
    ] as const) {
      const body = [{ email, ...row }];
      await api(shop.admin, "POST", "/api/profiles/bulk-upload", { body });
      const [stored] = await select("SELECT country, country_code FROM profiles WHERE email = ?", email);
      expect(stored).toEqual({ country, country_code });
    }
  });

  test("a profile whose country was never checked keeps it until a change names it", async () => {
    const { answer } = await places["a profile"]!({});
    const { id } = answer.body.data;
    await execute("UPDATE profiles SET country = 'Atlantis', country_code = 'zz' WHERE id = ?", id);
    expect(await changed(`/api/profiles/${id}`, { city: "Poseidonis" } as Country)).toEqual([
      "Atlantis",
      "zz",
    ]);
    expect(await changed(`/api/profiles/${id}`, { country: "Atlantis" })).toEqual(["Atlantis", "zz"]);
    expect(await changed(`/api/profiles/${id}`, { country_code: "GR" })).toEqual(["Greece", "GR"]);
  });
});

test("over MCP a country is checked as over HTTP", async () => {
  const given = { email: newEmail(), country: "Germany", country_code: "US" };
  const path = "country";
  const message = "must be the country of country_code US, United States, or absent";
  expect(errorOf(await callTool(shop.admin, "createProfile", given)).details).toEqual([{ path, message }]);
});
