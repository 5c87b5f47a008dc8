/** The account extension is one line and one link, in four languages, and never stands in the way of the page. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test, vi } from "vitest";

const folder = "extensions/account";
const portal = "https://perennial.example/portal/shop.myshopify.com";
const session = {
  url: `${portal}/enter?token=abc`,
  expires_at: "2026-12-01T00:15:00.000Z",
  next_delivery_date: "2026-12-13" as string | null,
};
const source = pathToFileURL(`${folder}/src/next-delivery.js`).href;
const show: () => Promise<void> = (await import(/* @vite-ignore */ source)).default;

afterEach(() => vi.unstubAllGlobals());

type Element = {
  name: string;
  href?: string;
  children: (Element | string)[];
  append: (child: Element | string) => void;
};

function element(name: string): Element {
  const children: Element["children"] = [];
  return { name, children, append: (child) => void children.push(child) };
}

/** Runs the extension as Shopify does; each element that it shows, with its text. */
async function shown(
  answer: () => Promise<Response>,
  { language = "en", settings = { portal } }: { language?: string; settings?: object } = {},
) {
  const file = `${folder}/locales/${language}${language === "en" ? ".default" : ""}.json`;
  const texts = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  const body = element("body");
  const asked: Request[] = [];
  vi.stubGlobal("document", { createElement: element, body });
  vi.stubGlobal("fetch", async (...args: Parameters<typeof fetch>) => {
    asked.push(new Request(...args));
    return answer();
  });
  vi.stubGlobal("shopify", {
    settings: { value: settings },
    sessionToken: { get: async () => "the.session.token" },
    i18n: {
      translate: (key: string, { date = "" } = {}) => texts[key]?.replace("{{date}}", date),
      formatDate: (date: Date, options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat(language, options).format(date),
    },
  });
  await show();
  const [stack] = body.children as Element[];
  const parts = ((stack?.children ?? []) as Element[]).map(({ name, href, children }) => [
    name,
    ...(href === undefined ? [] : [href]),
    ...children,
  ]);
  return { parts, asked };
}

const found = async () => Response.json(session, { status: 201 });

test.each([
  ["en", "Next box on December 13", "Manage"],
  ["de", "Nächste Lieferung am 13. Dezember", "Verwalten"],
  ["fr", "Prochaine livraison le 13 décembre", "Gérer"],
  ["es", "Próxima entrega el 13 de diciembre", "Gestionar"],
])("says the day and links the customer's own way in: %s", async (language, next, manage) => {
  const { parts, asked } = await shown(found, { language });
  expect(parts).toEqual([
    ["s-text", next],
    ["s-link", session.url, manage],
  ]);
  expect([asked[0]?.method, asked[0]?.url]).toEqual([
    "POST",
    "https://perennial.example/api/portal/store-sessions",
  ]);
  expect(await asked[0]?.json()).toEqual({ session_token: "the.session.token" });
});

test("is the link alone where nothing is to be delivered", async () => {
  const { parts } = await shown(async () =>
    Response.json({ ...session, next_delivery_date: null }, { status: 201 }),
  );
  expect(parts).toEqual([["s-link", session.url, "Manage"]]);
});

test.each<[string, () => Promise<Response>]>([
  ["too many links", async () => Response.json({}, { status: 429 })],
  ["a refusal", async () => Response.json({}, { status: 401 })],
  ["an outage", async () => Promise.reject(new TypeError("Failed to fetch"))],
])("leads to the portal's sign-in after %s", async (_, answer) => {
  expect((await shown(answer)).parts).toEqual([["s-link", portal, "Manage"]]);
});

test("is nothing for somebody without subscriptions, and before it is set up", async () => {
  expect((await shown(async () => Response.json({}, { status: 404 }))).parts).toEqual([]);
  const bare = await shown(found, { settings: {} });
  expect([bare.parts, bare.asked]).toEqual([[], []]);
});

test("is far below the 64 KB that Shopify allows", () => {
  expect(readFileSync(`${folder}/src/next-delivery.js`).byteLength).toBeLessThan(4096);
});
