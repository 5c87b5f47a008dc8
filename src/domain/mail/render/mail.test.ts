/** A mail of every kind says the same in HTML and as text, in every language. */
import { describe, expect, test } from "vitest";
import { samples } from "../../../../scripts/docs/mail-samples.ts";
import { linksOf, mainLinksOf, render, visibleText, wordsIn } from "../../../../test/support/mail-pages.ts";
import { portalLocales } from "../../../base/accounts/portal-settings.ts";
import { day, dayOf, moment, money, monthOf } from "../../../base/language/format.ts";
import { toMajor } from "../../../base/lib/money.ts";
import { type AnyMail, mailKinds } from "../kinds.ts";
import type { Look } from "./look.ts";

type Locale = Look["locale"];

const each = portalLocales.flatMap((locale) =>
  Object.entries(samples).map(([name, mail]) => ({ name, locale, mail })),
);

test("there is a sample of each kind", () => {
  expect(new Set(Object.values(samples).map(({ kind }) => kind))).toEqual(new Set(mailKinds));
});

describe.each(each)("$name in $locale", ({ mail, locale }) => {
  const { subject, html, text } = render(mail, { locale });

  test("has its amounts, dates and address, in HTML and as text", () => {
    const shown = visibleText(html);
    for (const fact of factsOf(mail, locale)) {
      expect(text).toContain(fact);
      expect(shown).toContain(fact);
    }
    const button = buttonOf(mail);
    expect(text).toContain(`\n${button}\n`);
    expect(mainLinksOf(html)).toEqual([...(button === "" ? [] : [button]), "mailto:help@napf.example"]);
  });

  test("says the same in both", () => {
    const hidden = new Set(["mailto"]);
    const said = wordsIn(`${visibleText(html)} ${linksOf(html).join(" ")}`).filter(
      (word) => !hidden.has(word),
    );
    expect(new Set(said)).toEqual(new Set([...wordsIn(text), ...wordsIn(subject)]));
  });

  test("begins with its amount and its date, where it has them", () => {
    const [first] = text.split("\n");
    for (const fact of inFirstLine(mail, locale)) expect(first).toContain(fact);
  });

  test("is plain: one line for a subject that fits, no exclamation mark, no gap where a word is missing", () => {
    expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    expect(subject.length).toBeLessThan(90);
    expect(subject + text).not.toMatch(/[!¡]|undefined|null|NaN|Invalid|\{|\}|\[object/);
    expect(text).not.toMatch(/ {2}| \.|: \n|\n\n\n/);
  });

  test("is a page in its language for light and dark screens that loads nothing", () => {
    expect(html).toMatch(new RegExp(`^<!doctype html>\\n<html lang="${locale}" dir="ltr">`));
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain("@media (prefers-color-scheme:dark)");
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form|object)|url\(|@import|\ssrc=|\son\w+=/i);
    expect(html.length).toBeLessThan(30_000);
  });
});

/** The facts that a mail has to tell, as the portal writes them. */
function factsOf({ kind, facts }: AnyMail, locale: Locale): string[] {
  const sum = (minor: number, currency: string) => money(locale, toMajor(minor, currency), currency);
  const date = (value: string | null) => (value === null ? [] : [day(locale, value)]);
  const on = (instant: string | null) => (instant === null ? [] : [dayOf(locale, instant, facts.timezone)]);
  const at = (instant: string) => moment(locale, instant, facts.timezone);
  switch (kind) {
    case "login_link":
      return [at(facts.expires_at)];
    case "declaration":
      return [at(facts.received_at), ...date(facts.effective_on)];
    case "annual_notice":
    case "welcome":
      return [sum(facts.amount, "EUR"), ...date(facts.next_charge_date), ...date(facts.next_date)];
    case "upcoming_charge":
      return [sum(facts.amount, "EUR"), ...date(facts.charge_date), at(facts.change_until), "4242"];
    case "receipt":
      return [
        ...(facts.amount > 0 ? [facts.amount, ...facts.lines.map(({ amount }) => amount ?? 0)] : []).map(
          (minor) => sum(minor, "EUR"),
        ),
        ...(facts.discount_amount > 0 ? [sum(-facts.discount_amount, "EUR")] : []),
        ...(facts.shipping_amount ? [sum(facts.shipping_amount, "EUR")] : []),
        ...on(facts.placed_at),
        ...date(facts.delivery_date),
      ];
    case "payment_failed":
      return [sum(facts.amount, "EUR"), ...on(facts.failed_at), ...on(facts.next_try), ...on(facts.ends_at)];
    case "confirm_payment":
      return [sum(facts.amount, "EUR"), at(facts.expires_at)];
    case "address_missing":
      return [sum(facts.amount, "EUR")];
    case "payment_ended":
      return [sum(facts.amount, "EUR"), ...on(facts.ended_at)];
    case "card_expiring":
      return [
        "Visa •••• 4242",
        monthOf(locale, facts.expires_on),
        ...facts.subscriptions.flatMap(({ next_charge: charge }) =>
          charge === null ? [] : [sum(charge.amount, charge.currency_code), ...date(charge.date)],
        ),
      ];
    case "changed":
      return [
        ...on(facts.changed_at),
        ...facts.changes.flatMap((change) =>
          change.field === "next_delivery_date" || change.field === "next_charge_date"
            ? [...date(change.before), ...date(change.after)]
            : [],
        ),
        ...(facts.next_charge_date === null
          ? []
          : [sum(facts.amount, "EUR"), ...date(facts.next_charge_date)]),
      ];
    case "price_change":
      return [
        sum(facts.new_price, "EUR"),
        ...facts.old_prices.map((price) => sum(price, "EUR")),
        ...date(facts.first_charge_date),
        ...(facts.first_charge_date === null ? [] : [sum(facts.amount, "EUR")]),
        ...(facts.change_until === null ? [] : [at(facts.change_until)]),
      ];
    case "shipped":
      return [...date(facts.delivery_date), "UPS 1Z10000001", "#D10001"];
  }
}

/** Those of these facts that the first sentence has: the amount and the date that matter most. */
function inFirstLine(mail: AnyMail, locale: Locale): string[] {
  const facts = factsOf(mail, locale);
  switch (mail.kind) {
    case "address_missing":
      return [];
    case "annual_notice":
      return facts.slice(0, 1);
    case "changed":
    case "login_link":
    case "shipped":
      return facts.slice(0, 1);
    case "receipt":
      return mail.facts.amount > 0
        ? [facts[0]!, dayOf(locale, mail.facts.placed_at, mail.facts.timezone)]
        : [];
    case "price_change":
      return facts.slice(0, mail.facts.first_charge_date === null ? 2 : 3);
    case "card_expiring":
      return facts;
    default:
      return facts.slice(0, 2);
  }
}

/** The address behind the button. */
function buttonOf({ kind, facts }: AnyMail): string {
  switch (kind) {
    case "login_link":
      return facts.login_url;
    case "payment_failed":
      return facts.pay_url;
    case "confirm_payment":
      return facts.confirm_url;
    case "address_missing":
      return facts.address_url;
    case "payment_ended":
      return facts.return_url;
    case "card_expiring":
      return facts.card_url;
    case "changed":
      return facts.way_back?.url ?? facts.manage_url;
    case "price_change":
      return facts.new_price > facts.old_prices[0] ? facts.cancel_url : facts.manage_url;
    case "shipped":
      return facts.tracking?.url ?? facts.manage_url;
    case "declaration":
      return facts.not_me_url;
    case "annual_notice":
      return facts.cancel_url;
    default:
      return facts.manage_url;
  }
}

test.each(Object.entries(samples))("%s in French begins no line with a sign of its sentence", (_, mail) => {
  const { subject, text } = render(mail, { locale: "fr" });
  expect(`${subject}\n${text}`).not.toMatch(/ [:;?!»]/);
});
