import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samples, shopLook, withText } from "../../../../test/support/mail-samples.ts";
import { portalLocales } from "../../../base/accounts/portal-settings.ts";
import { day, dayOf, moment, money, monthOf } from "../../../base/language/format.ts";
import { toMajor } from "../../../base/lib/money.ts";
import { mailKinds } from "../kinds.ts";
import { type AnyMail, changeKinds, type MailFacts } from "./facts.ts";
import type { Look } from "./look.ts";
import { renderMail } from "./mail.ts";

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
    expect(text).toContain(`\n${buttonOf(mail)}\n`);
    expect(linksOf(html)).toEqual([buttonOf(mail), "mailto:help@napf.example"]);
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

describe("a failed payment", () => {
  const first = ({ text }: { text: string }) => text.split("\n\n").slice(0, 2);

  test("that is tried again says why, when, and that one can pay", () => {
    expect(first(render(samples.payment_failed!))).toEqual([
      "On Nov 21, 2026 the payment of €87.35 for Beef and carrot, 1.5 kg and 1 more failed: there was not enough money.",
      "We try again on Nov 24, 2026. You can also pay now, or choose another payment method.",
    ]);
  });

  test("with a payment method that was declined for good asks for another", () => {
    const mail = render(samples.payment_failed_for_good!);
    expect(first(mail)[1]).toBe(
      "We do not try this payment method again. Please choose another one by Nov 28, 2026.",
    );
    expect(mail.text).toContain("Change the payment method:\n");
    expect(mail.text).toContain("If it stays unpaid: Your subscription ends on Nov 28, 2026\n");
  });

  test("for which the shop is the cause asks for nothing", () => {
    const mail = render(samples.payment_failed_at_the_shop!);
    expect(mail.subject).toBe("Your payment of €87.35 is delayed");
    expect(first(mail)[1]).toBe("We try again by ourselves. You need not do anything.");
    expect(mail.text).not.toContain("Pay now");
  });
});

describe("a change", () => {
  test.each(changeKinds)("of the kind %s has its sentence in each language", (change) => {
    for (const locale of portalLocales) {
      const facts = { ...factsFor("changed"), change, undo_url: null };
      const { subject, text } = renderMail("changed", facts, lookOf({ locale }));
      expect(text).toContain(dayOf(locale, facts.changed_at, facts.timezone));
      expect(`${subject} ${text}`).not.toMatch(/undefined|!/);
    }
  });

  test("of several deliveries says how many are skipped", () => {
    const facts = { ...factsFor("changed"), change: "skipped", skipped_count: 3 } as const;
    expect(renderMail("changed", facts, lookOf()).text).toMatch(
      /^On Nov 18, 2026 the next 3 deliveries were skipped: Beef/,
    );
    const one = renderMail("changed", { ...factsFor("changed"), change: "skipped" }, lookOf());
    expect(one.text).toMatch(/^On Nov 18, 2026 the next delivery was skipped: Beef/);
  });

  test("to a cancelled subscription names the last delivery that is paid", () => {
    const facts = { ...samples.cancelled!.facts, next_date: "2026-11-24" } as MailFacts["changed"];
    expect(renderMail("changed", facts, lookOf()).text).toContain(
      "Nothing more is charged.\n\nThe last paid delivery is planned for Tue, Nov 24, 2026.",
    );
  });
});

describe("a reminder", () => {
  test("does not offer to cancel where the customer cannot", () => {
    const facts = factsFor("upcoming_charge");
    const cancelling = { is_allowed: true, payments_before: 2, from: "2027-01-16" } as const;
    const { text } = renderMail("upcoming_charge", { ...facts, cancelling }, lookOf());
    expect(text).toContain("How to cancel: You can cancel after 2 more payments, from Sat, Jan 16, 2027 on.");
    expect(text).not.toContain("change or cancel");
    const byShop = renderMail("upcoming_charge", { ...facts, cancelling: { is_allowed: false } }, lookOf());
    expect(byShop.text).toContain("How to cancel: Write to us, and we cancel it for you.");
  });
});

describe("a merchant's template", () => {
  const template = {
    subject: "{first_name}, your food comes on {next_date}",
    intro: "Hello {first_name},\n\n{amount} for {product}.\n{frequency} <b>fresh</b>",
    closing: "Yours\n{shop_name}",
  };

  test("replaces subject, intro and closing; facts and button stay", () => {
    const { subject, text, html } = render(samples.upcoming_charge!, { template });
    expect(subject).toBe("Ada, your food comes on Tue, Nov 24, 2026");
    expect(text).toMatch(
      /^Hello Ada,\n\n€87\.35 for Beef and carrot, 1\.5 kg and 1 more\.\nEvery 4 weeks <b>fresh<\/b>\n\nAmount: €87\.35\n/,
    );
    expect(text).toContain("Change or cancel:\nhttps://");
    expect(text).toContain("\n\nYours\nNapf & Co\n");
    expect(text).not.toContain("If all is as you want it");
    expect(html).toContain(
      "€87.35 for Beef and carrot, 1.5 kg and 1 more.<br>Every 4 weeks &lt;b&gt;fresh&lt;/b&gt;</p>",
    );
  });

  test("loses a line whose name has no value, and a subject with one is ours", () => {
    const mail = {
      kind: "upcoming_charge",
      facts: { ...factsFor("upcoming_charge"), first_name: null },
    } as const;
    const { subject, text } = render(mail, { template });
    expect(subject).toBe("We charge €87.35 on Sat, Nov 21, 2026");
    expect(text).toMatch(/^€87\.35 for Beef/);
  });

  test.each(["Win at evil.example", "https://evil.example", "Ada@evil.example", "A".repeat(41)])(
    "does not greet with the name %j, which a mail program might turn into a link",
    (first_name) => {
      const facts = { ...factsFor("upcoming_charge"), first_name };
      expect(render({ kind: "upcoming_charge", facts }, { template }).text).toMatch(/^€87\.35 for Beef/);
    },
  );

  test("fills each name once: a value that looks like a name stays", () => {
    const facts = { ...factsFor("upcoming_charge"), number: "{shop_name}" };
    const one = { subject: "{number}", intro: "No. {number}", closing: "" };
    const { subject, text } = render({ kind: "upcoming_charge", facts }, { template: one });
    expect(subject).toBe("{shop_name}");
    expect(text).toMatch(/^No\. \{shop_name\}\n/);
  });
});

test("the shop's logo is the one picture, and https alone", () => {
  const logo = "https://cdn.napf.example/logo.svg";
  const { html } = render(samples.receipt!, { logo_url: logo });
  expect(html).toContain(`<img src="${logo}" alt="Napf &amp; Co"`);
  for (const logo_url of [
    "http://cdn.napf.example/logo.svg",
    "javascript:alert(1)",
    "data:image/png;base64,AA",
  ])
    expect(render(samples.receipt!, { logo_url }).html).not.toContain("<img");
});

test.each(["javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "no address", ""])(
  "a link to %j is none: where the store's own leads nowhere, the button leads to the subscription",
  (url) => {
    const page = factsFor("shipped").manage_url;
    const tracking = { company: null, number: "1", url };
    const shipped = renderMail("shipped", { ...factsFor("shipped"), tracking }, lookOf());
    expect(linksOf(shipped.html)[0]).toBe(page);
    const confirm = { ...factsFor("confirm_payment"), confirm_url: url };
    expect(linksOf(renderMail("confirm_payment", confirm, lookOf()).html)[0]).toBe(page);
  },
);

test("an address with a domain of another script is written in ASCII", () => {
  const facts = {
    ...factsFor("shipped"),
    tracking: { company: null, number: "1", url: "https://пример.example/ü" },
  };
  expect(linksOf(renderMail("shipped", facts, lookOf()).html)[0]).toBe("https://xn--e1afmkfd.example/%C3%BC");
});

describe("whatever a fact holds", () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        "<script>alert(1)</script>",
        '" onmouseover="x',
        "' style='x",
        "</style></table>",
        "<!--",
        "&lt;",
        "\r\nBcc: all@evil.example",
        "\n\n",
        "\u2028",
        "\u0085",
        "\0",
        "\u202e",
        "\u2067",
        "\ud800",
        "{amount}",
        "$&",
        "שלום",
        "🐕‍🦺",
        "пример.example",
        "https://evil.example",
      ),
      { minLength: 1, maxLength: 6 },
    )
    .map((parts) => `x${parts.join("")}`);
  const template = {
    subject: "{shop_name}: {product}",
    intro: "{shop_name}\n\n{number}",
    closing: "{support_email}",
  };
  const anySample = fc.constantFrom(...Object.values(samples));
  const anyLook = fc.record({
    locale: fc.constantFrom(...portalLocales),
    template: fc.constantFrom(null, template),
  });

  test("it is text: it makes no element, no attribute, and no line", () => {
    fc.assert(
      fc.property(anySample, anyLook, hostile, (mail, look, text) => {
        const shop = { shop_name: text, support_email: text, postal_address: text };
        const plain = { shop_name: "x", support_email: "x", postal_address: "x" };
        const [mine, theirs] = [
          render(withText(mail, "x"), { ...look, ...plain }),
          render(withText(mail, text), { ...look, ...shop, postal_address: "x" }),
        ];
        expect(theirs.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(skeletonOf(theirs.html)).toBe(skeletonOf(mine.html));
        expect(theirs.text.split("\n")).toHaveLength(mine.text.split("\n").length);
        expect(theirs.html + theirs.text).not.toMatch(/[\u202a-\u202e\0]/);
        expect((theirs.html + theirs.text).isWellFormed()).toBe(true);
      }),
    );
  });

  test("a text from right to left does not turn the sentence around", () => {
    const { text } = render(withText(samples.payment_failed!, "שלום"));
    expect(text).toContain("for \u2068שלום\u2069 and 1 more failed: there");
  });
});

function lookOf(more: Partial<Look> = {}): Look {
  return { ...shopLook, locale: "en", ...more };
}

function render({ kind, facts }: AnyMail, look: Partial<Look> = {}) {
  return renderMail(kind, facts, lookOf(look));
}

function factsFor<Kind extends AnyMail["kind"]>(kind: Kind) {
  return samples[kind]!.facts as Extract<AnyMail, { kind: Kind }>["facts"];
}

/** The facts that a mail has to tell, as the portal writes them. */
function factsOf({ kind, facts }: AnyMail, locale: Locale): string[] {
  const sum = (minor: number, currency: string) => money(locale, toMajor(minor, currency), currency);
  const date = (value: string | null) => (value === null ? [] : [day(locale, value)]);
  const on = (instant: string | null) => (instant === null ? [] : [dayOf(locale, instant, facts.timezone)]);
  const at = (instant: string) => moment(locale, instant, facts.timezone);
  switch (kind) {
    case "login_link":
      return [at(facts.expires_at)];
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
    case "shipped":
      return [...date(facts.delivery_date), "UPS 1Z10000001", "#D10001"];
  }
}

/** Of these facts, those that the first sentence has: the amount and the date that matter most. */
function inFirstLine(mail: AnyMail, locale: Locale): string[] {
  const facts = factsOf(mail, locale);
  switch (mail.kind) {
    case "changed":
    case "login_link":
    case "shipped":
      return facts.slice(0, 1);
    case "receipt":
      return mail.facts.amount > 0
        ? [facts[0]!, dayOf(locale, mail.facts.placed_at, mail.facts.timezone)]
        : [];
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
    case "payment_ended":
      return facts.return_url;
    case "card_expiring":
      return facts.card_url;
    case "changed":
      return facts.undo_url ?? facts.manage_url;
    case "shipped":
      return facts.tracking?.url ?? facts.manage_url;
    default:
      return facts.manage_url;
  }
}

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = ""]) => unescapeHtml(href));
}

/** The text of a page's body, as somebody reads it. */
function visibleText(html: string): string {
  const body = html.slice(html.indexOf("<main>"));
  return unescapeHtml(body.replaceAll(/<[^>]*>/g, " "));
}

function unescapeHtml(text: string): string {
  const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
  return text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? "");
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}€]+/gu) ?? [];
}

/** The elements and attributes of a page, without texts and values. */
function skeletonOf(html: string): string {
  return html.replaceAll(/"[^"]*"/g, '""').replaceAll(/>[^<]*</g, "><");
}
