import { shorten } from "../../../base/lib/text.ts";
import { kindNamed, type MailFacts, type MailKind } from "../kinds.ts";
import { clean, cleanLines } from "./clean.ts";
import type { MailPicture } from "./facts.ts";
import { toHtml } from "./html.ts";
import { type DraftLetter, filled, type Letter } from "./letter.ts";
import type { Look } from "./look.ts";
import { applyTemplate } from "./template.ts";
import { toText } from "./text.ts";
import { type View, viewOf } from "./view.ts";

/** A mail as it is sent. The subject is one line; `html` and `text` say the same. */
type RenderedMail = { subject: string; html: string; text: string };

/** The longest subject, in characters: programs show less. */
export const subjectMax = 150;

/** Writes a mail of a kind in the customer's language. The same facts and look make the same mail. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  facts: MailFacts[Kind],
  look: Look,
): RenderedMail {
  const [harmless, shop] = [clean(facts), cleanLook(look)];
  const view = viewOf(shop, harmless);
  const { placeholders, letter: write } = kindNamed(kind);
  const ours = complete(view, write(view, harmless), harmless.pictures);
  const letter = applyTemplate(ours, shop.template, (name) =>
    Object.hasOwn(placeholders, name) ? placeholders[name]!(view, harmless) : null,
  );
  return {
    subject: shorten(letter.subject, subjectMax),
    html: toHtml(letter, view, shop),
    text: toText(letter, view, shop),
  };
}

function complete({ words, shop }: View, draft: DraftLetter, pictures: MailPicture[] = []): Letter {
  const because = words.becauseSubscribed(shop);
  return { closing: [], because, pictures, ...draft, sums: filled(draft.sums), facts: filled(draft.facts) };
}

/** The template is cleaned where it is filled in, and the postal address keeps its lines. */
function cleanLook({ template, postal_address, ...look }: Look): Look {
  const postal = postal_address === null ? null : cleanLines(postal_address).trim();
  return { ...clean(look), template, postal_address: postal || null };
}
