/** Nothing that a customer or a store has written can become markup, a link or a line of a mail. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { samples, withText } from "../../../../scripts/docs/mail-samples.ts";
import { factsFor, linksOf, lookOf, render, skeletonOf } from "../../../../test/support/mail-pages.ts";
import { portalLocales } from "../../../base/accounts/portal-settings.ts";
import type { AnyMail } from "../kinds.ts";
import { renderMail } from "./mail.ts";

test("the shop's logo is the one picture of a mail about no products, and https alone", () => {
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

test("pictures of products are https alone, and have a name and a size", () => {
  const pictured = (picture_url: string) => ({
    ...samples.receipt!,
    facts: { ...samples.receipt!.facts, pictures: [{ picture_url, title: 'Kibble "x" <b>' }] },
  });
  const { html } = render(pictured("https://cdn.napf.example/kibble.png") as AnyMail);
  expect(html).toContain(
    '<img src="https://cdn.napf.example/kibble.png" alt="Kibble &quot;x&quot; &lt;b&gt;" width="72" height="72"',
  );
  for (const url of ["http://cdn.napf.example/a.png", "javascript:alert(1)", "data:image/png;base64,AA", ""])
    expect(render(pictured(url) as AnyMail).html).not.toContain("<img");
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
        expect(theirs.subject).toMatch(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,150}$/u);
        expect(skeletonOf(theirs.html)).toBe(skeletonOf(mine.html));
        expect(theirs.text.split("\n")).toHaveLength(mine.text.split("\n").length);
        expect(theirs.html + theirs.text).not.toMatch(/[\u202a-\u202e\0]/);
        expect((theirs.html + theirs.text).isWellFormed()).toBe(true);
      }),
    );
  });

  test("a subject is cut where a text is long", () => {
    const { subject } = render(withText(samples.welcome!, "語".repeat(300)));
    expect([...subject]).toHaveLength(150);
    expect(subject.endsWith("語…")).toBe(true);
  });

  test("a text from right to left does not turn the sentence around", () => {
    const { text } = render(withText(samples.payment_failed!, "שלום"));
    expect(text).toContain("for \u2068שלום\u2069 and 1 more failed:");
  });
});
