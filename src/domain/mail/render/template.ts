import { cardOf } from "../../../base/language/names.ts";
import { type MailKind, type MailTemplate, placeholderPattern, type TemplateName } from "../kinds.ts";
import { cleanLines, oneLine } from "./clean.ts";
import type { MailFacts } from "./facts.ts";
import type { Letter } from "./letter.ts";
import type { Look } from "./look.ts";
import type { View } from "./view.ts";

type Values = Partial<Record<TemplateName, string | null>>;

/** The letter with the merchant's subject, intro and closing. The facts and the button stay. */
export function applyTemplate(letter: Letter, template: MailTemplate | null, values: Values): Letter {
  if (template === null) return letter;
  const subject = oneLine(fill(template.subject, values));
  return {
    ...letter,
    subject: subject || letter.subject,
    intro: paragraphsOf(fill(template.intro, values)),
    closing: paragraphsOf(fill(template.closing, values)),
  };
}

/** The value of each name that templates may have in braces; null or absent where there is none. */
export function templateValues(view: View, look: Look, facts: MailFacts[MailKind]): Values {
  const { words } = view;
  const date = (value: string | null) => value && view.day(value);
  return {
    first_name: nameOrNull(facts.first_name),
    shop_name: look.shop_name,
    support_email: look.support_email,
    ...("number" in facts && {
      number: facts.number,
      product: view.product("line" in facts ? [facts.line] : facts.lines),
      frequency: view.frequency(facts.frequency),
      next_date: date(facts.next_date),
      amount: view.amount(facts.amount, facts.currency_code),
      manage_url: facts.manage_url,
    }),
    ...("reason" in facts && { reason: words.reasons[facts.reason] }),
    ...("next_try" in facts && { next_try: facts.next_try && view.dayOf(facts.next_try) }),
    ...("new_price" in facts && {
      old_price: view.oneOf(facts.old_prices.map((price) => view.amount(price, facts.currency_code))),
      new_price: view.amount(facts.new_price, facts.currency_code),
      first_date: date(facts.first_charge_date),
      cancel_url: facts.cancel_url,
    }),
    ...("expires_on" in facts && {
      brand: cardOf(facts.card.brand, null),
      last4: facts.card.last4,
      expires: view.month(facts.expires_on),
    }),
    ...("order_number" in facts && {
      order_number: facts.order_number,
      delivery_date: date(facts.delivery_date),
    }),
    ...("tracking" in facts && { tracking_url: facts.tracking?.url ?? null }),
  };
}

const nameLengthMax = 40;

/** Fills the names in. A line with a name that has no value is left out: half a sentence helps nobody. */
function fill(template: string, values: Values): string {
  const known = new Map<string, string | null>(Object.entries(values));
  return cleanLines(template)
    .split("\n")
    .filter((line) => [...line.matchAll(placeholderPattern)].every(([, name = ""]) => known.get(name)))
    .map((line) => line.replaceAll(placeholderPattern, (_, name: string) => known.get(name) ?? ""))
    .join("\n");
}

/** Paragraphs stand apart by an empty line; other line breaks stay within theirs. */
function paragraphsOf(text: string): string[] {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "");
}

/** A customer's name, unless it looks like an address: anybody can give a shop a name that mail programs would turn into a link. */
function nameOrNull(name: string | null): string | null {
  const isName = name !== null && name.length <= nameLengthMax && !/[/:@\\]|\.\S/.test(name);
  return isName ? name : null;
}
