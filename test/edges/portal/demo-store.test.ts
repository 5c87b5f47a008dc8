/** The demo store signs its customer in with one click on a local server, and nowhere else. */
import { beforeAll, describe, expect, test } from "vitest";
import { forgetAccount } from "../../../src/base/accounts/queries.ts";
import { demoId, demoShop } from "../../../src/base/demo.ts";
import { deployment, nobody, origin } from "../../support/client.ts";
import { execute, select } from "../../support/database.ts";
import { openTenant, profile, type Tenant } from "../../support/tenant.ts";

const here = "http://127.0.0.1:8787";
const local = deployment({ ENVIRONMENT: "local", PUBLIC_URL: here });
const doors = [
  ["POST", "/demo/sign-in"],
  ["GET", "/demo/mails"],
  ["GET", `/demo/mails/${demoId("mail", 1)}`],
  ["GET", "/demo"],
] as const;

function open(
  call: typeof local,
  [method, path]: readonly [string, string],
  { at = here, from = at }: { at?: string; from?: string } = {},
) {
  const form = { raw: "", headers: { Origin: from, "Content-Type": "application/x-www-form-urlencoded" } };
  return call(nobody, method, at + path, method === "POST" ? form : {});
}

function sessions() {
  return select("SELECT id FROM portal_sessions WHERE profile_id = ?", demoId("profile", 1));
}

const signIn = doors[0];
let store: Tenant;

/** Another merchant can have the demo store's shop, but not its id. */
beforeAll(async () => {
  store = await openTenant({ shop: demoShop, engine: "d1" });
});

test("a shop of the demo store's name has no doors at a local server, as it is another account", async () => {
  for (const door of doors) expect((await open(local, door)).status, door.join(" ")).toBe(404);
  expect((await open(local, ["GET", "/"])).text).not.toContain("/demo/");
});

describe("with the demo store in the database", () => {
  beforeAll(async () => {
    const { id } = await profile(store);
    const settings = JSON.stringify({ is_enabled: true });
    forgetAccount(store.account.id);
    await execute("UPDATE profiles SET id = ?, first_name = 'Ada' WHERE id = ?", demoId("profile", 1), id);
    await execute(
      "UPDATE accounts SET id = ?, portal = ? WHERE shop = ?",
      demoId("account", 1),
      settings,
      demoShop,
    );
  });

  const set = async (settings: object) => {
    await execute("UPDATE accounts SET portal = ? WHERE shop = ?", JSON.stringify(settings), demoShop);
    forgetAccount(demoId("account", 1));
  };

  test.each(["staging", "production"])(
    "a deployment in %s has no doors, and does not name the store",
    async (ENVIRONMENT) => {
      const deployed = deployment({ ENVIRONMENT, PUBLIC_URL: origin });
      for (const door of doors) {
        const { status, headers } = await open(deployed, door, { at: origin });
        expect([status, headers.getSetCookie()], door.join(" ")).toEqual([404, []]);
      }
      const { status, text } = await open(deployed, ["GET", "/"], { at: origin });
      expect(status).toBe(200);
      expect(text).not.toMatch(/demo/i);
      for (const path of ["/api", "/api.json", "/api.yaml", `${origin}/mcp`]) expect(text).toContain(path);
      expect(await sessions()).toEqual([]);
    },
  );

  test("one click signs its customer in at a local server, from that server's own page alone", async () => {
    expect((await open(local, signIn, { from: "http://127.0.0.1:9999" })).status).toBe(403);
    expect((await open(local, ["GET", "/demo/sign-in"])).status).toBe(404);
    expect(await sessions()).toEqual([]);
    const { text } = await open(local, ["GET", "/"]);
    expect(text).toContain("Sign in as Ada");
    const entered = await open(local, signIn);
    expect([entered.status, entered.headers.get("Location")]).toEqual([303, `/portal/${demoShop}`]);
    const [Cookie = ""] = entered.headers.getSetCookie();
    const home = await local(nobody, "GET", `${here}/portal/${demoShop}`, { headers: { Cookie } });
    expect(home.text).toContain("Sign out");
    expect(await sessions()).toHaveLength(1);
  });

  test.each([
    ["is off", { is_enabled: false }],
    [
      "is at another address, where the cookie would be missing",
      { is_enabled: true, base_url: "https://account.example.com" },
    ],
  ])("nobody is signed in to a portal that %s, and nothing offers it", async (_, settings) => {
    await set(settings);
    expect((await open(local, signIn)).status).toBe(404);
    expect((await open(local, ["GET", "/"])).text).not.toContain("/demo/sign-in");
    await set({ is_enabled: true });
  });
});
