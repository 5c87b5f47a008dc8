import { readFileSync } from "node:fs";
import { installTool } from "../../scripts/install.mjs";

export const folder = "extensions/theme";
export const languages = ["en", "de", "fr", "es"] as const;
export type Language = (typeof languages)[number];

type Rendering = { language?: Language; currency?: string };

/** Renders a block of the theme extension as a shop's theme would: with its tags and filters of Shopify, and its locale file. */
export async function renderBlock(
  name: string,
  scope: object,
  { language = "en", currency = "EUR" }: Rendering = {},
): Promise<string> {
  await installTool("theme");
  const { Liquid } = await import("../../tools/theme/liquid.ts");
  const engine = new Liquid({
    root: [`${folder}/blocks`],
    partials: [`${folder}/snippets`],
    extname: ".liquid",
    strictFilters: true,
    globals: { shop: { permanent_domain: "shop.myshopify.com" } },
  });
  const texts = textsOf(language);
  const money = new Intl.NumberFormat(language, { style: "currency", currency });
  const decimals = money.resolvedOptions().maximumFractionDigits ?? 2;
  engine.registerFilter("money", (amount: number) => money.format(amount / 10 ** decimals));
  engine.registerFilter("t", (key: string, ...values: [string, string | number][]) =>
    translate(texts, key, { language, values: Object.fromEntries(values) }),
  );
  engine.registerTag(
    "schema",
    blockTag(() => ""),
  );
  engine.registerTag(
    "form",
    blockTag((inner) => `<form method="post" action="/cart/add">${inner}</form>`),
  );
  return (await engine.renderFile(name, {
    block: { shopify_attributes: "", settings: {} },
    ...scope,
  })) as string;
}

export function textsOf(language: Language): object {
  const file = `${folder}/locales/${language}${language === "en" ? ".default" : ""}.json`;
  return JSON.parse(readFileSync(file, "utf8"));
}

type Words = { language: Language; values: Record<string, string | number> };

/** A text by its key; by the plural of `count` where it has several. */
function translate(texts: object, key: string, { language, values }: Words): string {
  let text: unknown = texts;
  for (const part of key.split(".")) text = (text as Record<string, unknown>)[part];
  if (typeof text === "object" && text !== null) {
    const form = new Intl.PluralRules(language).select(Number(values.count));
    const forms = text as Record<string, string>;
    text = forms[form] ?? forms.other;
  }
  if (typeof text !== "string") throw new Error(`${language} has no ${key}`);
  return text.replaceAll(/\{\{ (\w+) \}\}/g, (_, name: string) => {
    if (values[name] === undefined) throw new Error(`${key} lacks ${name}`);
    return String(values[name]);
  });
}

/** A tag with an end, of which Shopify makes something around what is within. */
function blockTag(around: (inner: string) => string) {
  return {
    // biome-ignore lint/suspicious/noExplicitAny: liquidjs gives a tag's own fields no type
    parse(this: any, { name }: any, remaining: any) {
      this.templates = [];
      const stream = this.liquid.parser
        .parseStream(remaining)
        .on(`tag:end${name}`, () => stream.stop())
        .on("template", (template: unknown) => this.templates.push(template));
      stream.start();
    },
    // biome-ignore lint/suspicious/noExplicitAny: liquidjs gives a tag's own fields no type
    *render(this: any, context: any): any {
      const inner = yield this.liquid.renderer.renderTemplates(this.templates, context);
      return around(inner);
    },
  };
}
