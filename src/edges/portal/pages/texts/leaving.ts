import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts for customers who are about to cancel. */
const en = {
  seeOffers: "See what the shop offers",
  instead: "Before you go",
  chooseOrCancel: "Take one of these instead, or cancel. Each counts only once you choose it.",
  take: "Take this instead",
  cancelNow: "Cancel anyway",
  howOften: "How often",
  product: "Product",
  taken: "Thank you. It’s done as you chose.",
  gone: "This is no longer on offer. You can still cancel.",
  nothingMore: "Nothing more is charged.",
  nothingOpen: "You have nothing left to pay.",
  owed: (amount: string) => `The open payment of ${amount} will not be tried again.`,
  stillComes: (date: string) => `Your paid delivery still comes on ${date}.`,
  stillCome: (count: number, dates: string) => `Your ${count} paid deliveries still come: ${dates}.`,
  stillComeUntil: (count: number, first: string, last: string) =>
    `Your ${count} paid deliveries still come, from ${first} to ${last}.`,
  stillComeFrom: (date: string) => `Your paid deliveries still come, from ${date} on.`,
  lapse: (count: number) =>
    count === 1
      ? "Your paid delivery will no longer come."
      : `Your ${count} paid deliveries will no longer come.`,
  offered: "The shop offers",
  atMost: (amount: string) => `At most ${amount} less for each charge.`,
  priceFor: (quantity: number) => `This price is for ${quantity}. More of it is at the shop’s usual price.`,
};

type LeavingTexts = typeof en;

const de: LeavingTexts = {
  seeOffers: "Angebote des Shops ansehen",
  instead: "Bevor Sie gehen",
  chooseOrCancel: "Nehmen Sie eines davon an, oder kündigen Sie. Es gilt erst, wenn Sie es auswählen.",
  take: "Stattdessen annehmen",
  cancelNow: "Trotzdem kündigen",
  howOften: "Wie oft",
  product: "Produkt",
  taken: "Danke. Es ist so, wie Sie es gewählt haben.",
  gone: "Das gibt es nicht mehr. Sie können weiterhin kündigen.",
  nothingMore: "Es wird nichts mehr abgebucht.",
  nothingOpen: "Sie haben nichts mehr zu zahlen.",
  owed: (amount) => `Der offene Betrag von ${amount} wird nicht noch einmal abgebucht.`,
  stillComes: (date) => `Ihre bezahlte Lieferung kommt noch am ${date}.`,
  stillCome: (count, dates) => `Ihre ${count} bezahlten Lieferungen kommen noch: ${dates}.`,
  stillComeUntil: (count, first, last) =>
    `Ihre ${count} bezahlten Lieferungen kommen noch, von ${first} bis ${last}.`,
  stillComeFrom: (date) => `Ihre bezahlten Lieferungen kommen noch, ab ${date}.`,
  lapse: (count) =>
    count === 1
      ? "Ihre bezahlte Lieferung kommt nicht mehr."
      : `Ihre ${count} bezahlten Lieferungen kommen nicht mehr.`,
  offered: "Der Shop bietet an",
  atMost: (amount) => `Höchstens ${amount} weniger je Abbuchung.`,
  priceFor: (quantity) =>
    `Dieser Preis gilt für ${quantity} Stück. Mehr davon kostet den üblichen Preis des Shops.`,
};

const fr: LeavingTexts = {
  seeOffers: "Voir ce que propose la boutique",
  instead: "Avant de partir",
  chooseOrCancel:
    "Choisissez l’une de ces options, ou résiliez. Chacune ne compte qu’une fois que vous l’avez choisie.",
  take: "Choisir cette option",
  cancelNow: "Résilier quand même",
  howOften: "Fréquence",
  product: "Produit",
  taken: "Merci. C’est fait, comme vous l’avez choisi.",
  gone: "Cette option n’est plus disponible. Vous pouvez toujours résilier.",
  nothingMore: "Plus rien n’est débité.",
  nothingOpen: "Vous n’avez plus rien à payer.",
  owed: (amount) => `Le paiement de ${amount} encore dû ne sera pas retenté.`,
  stillComes: (date) => `Votre livraison déjà payée arrive encore le ${date}.`,
  stillCome: (count, dates) => `Vos ${count} livraisons déjà payées arrivent encore\u00a0: ${dates}.`,
  stillComeUntil: (count, first, last) =>
    `Vos ${count} livraisons déjà payées arrivent encore, du ${first} au ${last}.`,
  stillComeFrom: (date) => `Vos livraisons déjà payées arrivent encore, à partir du ${date}.`,
  lapse: (count) =>
    count === 1
      ? "Votre livraison déjà payée n’arrivera plus."
      : `Vos ${count} livraisons déjà payées n’arriveront plus.`,
  offered: "La boutique propose",
  atMost: (amount) => `Au plus ${amount} de moins par prélèvement.`,
  priceFor: (quantity) =>
    `Ce prix vaut pour une quantité de ${quantity}. Au-delà, le prix habituel de la boutique s’applique.`,
};

const es: LeavingTexts = {
  seeOffers: "Ver qué ofrece la tienda",
  instead: "Antes de irte",
  chooseOrCancel: "Elige una de estas opciones o cancela. Cada una solo vale cuando la eliges.",
  take: "Elegir esta opción",
  cancelNow: "Cancelar de todos modos",
  howOften: "Frecuencia",
  product: "Producto",
  taken: "Gracias. Queda como lo has elegido.",
  gone: "Esto ya no se ofrece. Aún puedes cancelar.",
  nothingMore: "No se cobra nada más.",
  nothingOpen: "No te queda nada por pagar.",
  owed: (amount) => `El pago pendiente de ${amount} no se volverá a intentar.`,
  stillComes: (date) => `Tu entrega ya pagada llega todavía el ${date}.`,
  stillCome: (count, dates) => `Tus ${count} entregas ya pagadas llegan todavía: ${dates}.`,
  stillComeUntil: (count, first, last) =>
    `Tus ${count} entregas ya pagadas llegan todavía, del ${first} al ${last}.`,
  stillComeFrom: (date) => `Tus entregas ya pagadas llegan todavía, a partir del ${date}.`,
  lapse: (count) =>
    count === 1 ? "Tu entrega ya pagada ya no llegará." : `Tus ${count} entregas ya pagadas ya no llegarán.`,
  offered: "La tienda ofrece",
  atMost: (amount) => `Como máximo ${amount} menos en cada cobro.`,
  priceFor: (quantity) =>
    `Este precio es para ${quantity}. A partir de ahí se aplica el precio habitual de la tienda.`,
};

export const leavingTexts: Record<PortalLocale, LeavingTexts> = { en, de, fr, es };
