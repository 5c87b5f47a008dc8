import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts for customers who are about to cancel. */
const en = {
  seeOffers: "Continue",
  mayOffer: "The shop may have something else to offer you. You can also cancel right here.",
  instead: "Before you go",
  chooseOrCancel: "Take one of these instead, or cancel. Each counts only once you choose it.",
  take: "Take this instead",
  cancelNow: "Cancel all the same",
  howOften: "How often",
  product: "Product",
  taken: "Thank you. It is as you have chosen.",
  gone: "This is no longer on offer. You can still cancel.",
  atMost: (amount: string) => `At most ${amount} less for each charge.`,
  priceFor: (quantity: number) => `This price is for ${quantity}. More of it is at the shop’s usual price.`,
};

type LeavingTexts = typeof en;

const de: LeavingTexts = {
  seeOffers: "Weiter",
  mayOffer: "Vielleicht hat der Shop etwas anderes für Sie. Sie können auch gleich hier kündigen.",
  instead: "Bevor Sie gehen",
  chooseOrCancel: "Nehmen Sie eines davon an, oder kündigen Sie. Es gilt erst, wenn Sie es auswählen.",
  take: "Stattdessen annehmen",
  cancelNow: "Trotzdem kündigen",
  howOften: "Wie oft",
  product: "Produkt",
  taken: "Danke. Es ist so, wie Sie es gewählt haben.",
  gone: "Das gibt es nicht mehr. Sie können weiterhin kündigen.",
  atMost: (amount) => `Höchstens ${amount} weniger je Abbuchung.`,
  priceFor: (quantity) =>
    `Dieser Preis gilt für ${quantity} Stück. Mehr davon kostet den üblichen Preis des Shops.`,
};

const fr: LeavingTexts = {
  seeOffers: "Continuer",
  mayOffer:
    "La boutique a peut-être autre chose à vous proposer. Vous pouvez aussi résilier directement ici.",
  instead: "Avant de partir",
  chooseOrCancel:
    "Choisissez l’une de ces options, ou résiliez. Chacune ne compte qu’une fois que vous l’avez choisie.",
  take: "Choisir cette option",
  cancelNow: "Résilier quand même",
  howOften: "Fréquence",
  product: "Produit",
  taken: "Merci. C’est fait, comme vous l’avez choisi.",
  gone: "Cette option n’est plus disponible. Vous pouvez toujours résilier.",
  atMost: (amount) => `Au plus ${amount} de moins par prélèvement.`,
  priceFor: (quantity) =>
    `Ce prix vaut pour une quantité de ${quantity}. Au-delà, le prix habituel de la boutique s’applique.`,
};

const es: LeavingTexts = {
  seeOffers: "Continuar",
  mayOffer: "Quizá la tienda tenga otra cosa que ofrecerte. También puedes cancelar aquí mismo.",
  instead: "Antes de irte",
  chooseOrCancel: "Elige una de estas opciones o cancela. Cada una solo vale cuando la eliges.",
  take: "Elegir esta opción",
  cancelNow: "Cancelar de todos modos",
  howOften: "Frecuencia",
  product: "Producto",
  taken: "Gracias. Queda como lo has elegido.",
  gone: "Esto ya no se ofrece. Aún puedes cancelar.",
  atMost: (amount) => `Como máximo ${amount} menos en cada cobro.`,
  priceFor: (quantity) =>
    `Este precio es para ${quantity}. A partir de ahí se aplica el precio habitual de la tienda.`,
};

export const leavingTexts: Record<PortalLocale, LeavingTexts> = { en, de, fr, es };
