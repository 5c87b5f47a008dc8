/** A customer reads that a payment is in question, and no accusation. */
import { expect, test } from "vitest";
import { linkFor, openVisitor, switchOn } from "../../edges/portal/visitor.ts";
import { useDisputes } from "./disputing.ts";

const { account, paid, disputed, closed } = useDisputes();

/** The sentence that a customer reads while a payment is disputed, in each language. */
const sentences = {
  en: "There is an open question about a payment. Until it is settled, we charge nothing",
  de: "Zu einer Zahlung ist eine Frage offen. Bis sie geklärt ist, buchen wir nichts ab",
  fr: "Une question reste ouverte au sujet d’un paiement. Tant qu’elle n’est pas réglée, nous ne prélevons rien",
  es: "Hay una pregunta abierta sobre un pago. Hasta que se aclare, no cobramos nada",
};

test.each(Object.entries(sentences))(
  "a customer reads in %s that a payment is in question, and no accusation",
  async (locale, sentence) => {
    await switchOn(account.worker, account.merchant);
    const visitor = openVisitor(account.worker, account.merchant);
    const { profileId: profile_id } = account;
    await visitor.enter((await linkFor(account.worker, account.merchant, { locale, profile_id })).url);
    const pages = async () => [
      (await visitor.get()).text,
      (await visitor.get(`/subscriptions/${paid.id}`)).text,
    ];
    for (const text of await pages()) expect(text).not.toContain(sentence);
    const dispute = await disputed();
    for (const text of await pages()) {
      expect(text).toContain(sentence);
      expect(text).not.toMatch(/disput|fraud|chargeback/i);
      for (const action of ["ship-now", "retry-payment", "skip", "schedule"])
        expect(text).not.toContain(`/subscriptions/${paid.id}/${action}"`);
    }
    await closed(dispute, "won");
    for (const text of await pages()) expect(text).not.toContain(sentence);
  },
);
