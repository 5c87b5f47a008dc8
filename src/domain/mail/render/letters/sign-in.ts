import type { MailFacts } from "../facts.ts";
import type { Letter } from "../letter.ts";
import type { View } from "../view.ts";

export function loginLinkLetter(view: View, facts: MailFacts["login_link"]): Letter {
  const { words, shop, moment } = view;
  const texts = words.login_link;
  const until = moment(facts.expires_at);
  return {
    subject: texts.subject(shop),
    intro: [texts.first(shop, until)],
    sums: [],
    facts: [{ label: words.validUntil, value: until }],
    button: { text: words.enter, url: facts.login_url },
    closing: [texts.notAsked],
    because: words.becauseAsked(shop),
  };
}
