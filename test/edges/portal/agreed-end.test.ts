/** A customer reads on the portal when a subscription ends by itself, in one sentence of what is known. */
import { expect, test } from "vitest";
import { declare, openWithCustomer } from "../../domain/declarations/declaring.ts";
import { force } from "../../support/shops.ts";
import { advance, useWorker } from "../../support/worker.ts";
import { linkFor, openVisitor, switchOn } from "./visitor.ts";

const worker = useWorker();

type Opened = Awaited<ReturnType<typeof openWithCustomer>>;

/** The first page and that of the subscription. */
async function pagesOf({ shop, id }: Opened, locale = "en"): Promise<string[]> {
  await switchOn(worker, shop);
  const visitor = openVisitor(worker, shop);
  await visitor.enter((await linkFor(worker, shop, { locale })).url);
  const pages = [await visitor.get(), await visitor.get(`/subscriptions/${id}`)];
  return pages.map(({ text }) => text);
}

test("nothing is said of an end where none was agreed on, nor once it has come", async () => {
  const opened = await openWithCustomer(worker);
  for (const page of await pagesOf(opened)) expect(page).not.toContain("Your subscription ends");
  await declare(worker, opened.shop, { email: opened.email, from: "date", date: "2030-01-05" });
  await worker.drain();
  for (const page of await pagesOf(opened))
    expect(page).toContain(
      "<p>Your subscription ends on Sat, Jan 5, 2030: nothing is charged from then on.</p>",
    );
  await advance(opened.shop, worker, 5);
  for (const page of await pagesOf(opened)) expect(page).not.toContain("Your subscription ends");
});

test("a cancellation before the minimum is over names the payments that are left, and no longer when one could cancel", async () => {
  const opened = await openWithCustomer(worker);
  const { shop, id, email } = opened;
  await force(id, { min_cycles: 2 });
  expect((await pagesOf(opened))[1]).toContain("You can cancel after 2 more payments");
  await declare(worker, shop, { email });
  await worker.drain();
  for (const page of await pagesOf(opened)) {
    expect(page).toContain("<p>Your subscription ends after 2 more payments.</p>");
    expect(page).not.toContain("You can cancel after");
  }
});

test.each([
  [
    "en",
    "Your subscription ends on Sun, Mar 10, 2030: nothing is charged from then on.",
    "Your subscription ends with the next payment.",
    "Your subscription ends after 3 more payments, on Sun, Mar 10, 2030 at the latest.",
  ],
  [
    "de",
    "Ihr Abo endet am So., 10. März 2030: Ab dann wird nichts mehr abgebucht.",
    "Ihr Abo endet mit der nächsten Zahlung.",
    "Ihr Abo endet nach 3 weiteren Zahlungen, spätestens am So., 10. März 2030.",
  ],
  [
    "fr",
    "Votre abonnement prend fin le dim. 10 mars 2030\u00a0: rien n’est débité à partir de ce jour.",
    "Votre abonnement prend fin avec le prochain paiement.",
    "Votre abonnement prend fin après 3 paiements de plus, au plus tard le dim. 10 mars 2030.",
  ],
  [
    "es",
    "Tu suscripción termina el dom, 10 mar 2030: no se cobra nada a partir de ese día.",
    "Tu suscripción termina con el próximo pago.",
    "Tu suscripción termina después de 3 pagos más, como muy tarde el dom, 10 mar 2030.",
  ],
])("in %s the day, the payments, or both", async (locale, onDay, nextPayment, both) => {
  const opened = await openWithCustomer(worker);
  const ends = [
    [{ ends_on: "2030-03-10", ends_after_cycle: null }, onDay],
    [{ ends_on: null, ends_after_cycle: 1 }, nextPayment],
    [{ ends_on: "2030-03-10", ends_after_cycle: 3 }, both],
  ] as const;
  for (const [end, sentence] of ends) {
    await force(opened.id, end);
    for (const page of await pagesOf(opened, locale)) expect(page).toContain(`<p>${sentence}</p>`);
  }
});
