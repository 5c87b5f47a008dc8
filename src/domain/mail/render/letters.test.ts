/** Each letter says what has happened and what its reader can do, and offers nothing that is impossible. */
import { describe, expect, test } from "vitest";
import { samples } from "../../../../scripts/docs/mail-samples.ts";
import { factsFor, lookOf, mainLinksOf, render } from "../../../../test/support/mail-pages.ts";
import { portalLocales } from "../../../base/accounts/portal-settings.ts";
import { dayOf } from "../../../base/language/format.ts";
import type { AnyMail, MailFacts } from "../kinds.ts";
import { changeKinds } from "./facts.ts";
import { renderMail } from "./mail.ts";

describe("a failed payment", () => {
  const first = ({ text }: { text: string }) => text.split("\n\n").slice(0, 2);

  test("that is tried again says why, when, and that one can pay", () => {
    expect(first(render(samples.payment_failed!))).toEqual([
      "On Sat, Nov 21, 2026, the payment of €87.35 for Beef and carrot, 1.5 kg and 1 more failed: insufficient funds.",
      "We try again on Tue, Nov 24, 2026. You can also pay now, or choose another payment method.",
    ]);
  });

  test("with a payment method that was declined for good asks for another", () => {
    const mail = render(samples.payment_failed_for_good!);
    expect(first(mail)[1]).toBe(
      "We do not try this payment method again. Please choose another one by Sat, Nov 28, 2026.",
    );
    expect(mail.text).toContain("Change payment method:\n");
    expect(mail.text).toContain("If it stays unpaid: Your subscription ends on Sat, Nov 28, 2026\n");
  });

  test("for which the shop is the cause asks for nothing", () => {
    const mail = render(samples.payment_failed_at_the_shop!);
    expect(mail.subject).toBe("Your payment of €87.35 is delayed");
    expect(first(mail)[1]).toBe("We will try again automatically. You don’t need to do anything.");
    expect(mail.text).not.toContain("Pay now");
  });
});

describe("a change", () => {
  test.each(changeKinds)("of the kind %s has its sentence in each language", (change) => {
    for (const locale of portalLocales) {
      const facts = { ...factsFor("changed"), change, way_back: null };
      const { subject, text } = renderMail("changed", facts, lookOf({ locale }));
      expect(text).toContain(dayOf(locale, facts.changed_at, facts.timezone));
      expect(`${subject} ${text}`).not.toMatch(/undefined|!/);
    }
  });

  test("of several deliveries says how many are skipped", () => {
    const facts = { ...factsFor("changed"), change: "skipped", skipped_count: 3 } as const;
    expect(renderMail("changed", facts, lookOf()).text).toMatch(
      /^On Wed, Nov 18, 2026, the next 3 deliveries were skipped: Beef/,
    );
    const one = renderMail("changed", { ...factsFor("changed"), change: "skipped" }, lookOf());
    expect(one.text).toMatch(/^On Wed, Nov 18, 2026, the next delivery was skipped: Beef/);
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
    expect(text).toContain("How to cancel: You can cancel after 2 more payments, from Sat, Jan 16, 2027.");
    expect(text).not.toContain("change or cancel");
    const byShop = renderMail("upcoming_charge", { ...facts, cancelling: { is_allowed: false } }, lookOf());
    expect(byShop.text).toContain("How to cancel: Write to us, and we cancel it for you.");
  });
});

test("an acknowledgement of a declaration that nobody can take back here only says where to ask", () => {
  for (const name of ["declaration_of_a_stranger", "declaration_of_withdrawal"]) {
    const { html, text } = render(samples[name]!);
    expect(html + text).not.toContain("To change, pay or cancel");
    expect(text).toContain("Questions? Write to help@napf.example");
  }
});

describe("a mail of a shop without a portal", () => {
  const each = Object.entries(samples).filter(([name]) => name !== "login_link");
  /** The mail without the addresses that are the portal's. */
  const withoutPortal = (mail: AnyMail): AnyMail =>
    JSON.parse(JSON.stringify(mail), (name, value) => {
      if (name === "way_back") return null;
      return String(value).startsWith("https://portal.") ? "" : value;
    });

  test.each(each)("%s has no link to it, and says whom to write to instead", (_, mail) => {
    for (const locale of portalLocales) {
      const { html, text } = render(withoutPortal(mail), { locale });
      expect(html + text).not.toContain("https://portal.");
      const [link, ...others] = mainLinksOf(html);
      const isOwn = link?.startsWith("https:") === true;
      expect(others).toEqual(isOwn ? ["mailto:help@napf.example"] : []);
      expect(text.match(/help@napf\.example/g)).toHaveLength(1);
      const unanswered = render(withoutPortal(mail), { locale, support_email: null });
      expect(mainLinksOf(unanswered.html)).toEqual(isOwn ? [link] : []);
      if (!isOwn) expect(unanswered.text).toMatch(/e-mail|E-Mail|correo/);
    }
  });
});
