/** A merchant's template replaces words of a mail, and never its facts or its button. */
import { describe, expect, test } from "vitest";
import { samples } from "../../../../scripts/docs/mail-samples.ts";
import { factsFor, render } from "../../../../test/support/mail-pages.ts";

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
