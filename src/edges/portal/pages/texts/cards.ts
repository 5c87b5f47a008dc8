import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts about cards that expire, and about other ways to pay. */
const en = {
  expired: (card: string) => `${card} has expired.`,
  expiresBefore: (card: string, month: string, charge: string) =>
    `${card} expires at the end of ${month}, before the next charge on ${charge}.`,
  expiresSoon: (card: string, month: string) => `${card} expires at the end of ${month}.`,
  revoked: (card: string) => `${card} can no longer be charged.`,
  another: "A new card",
  sentOften:
    "You have asked for the link three times today. Look for the e-mail, in your spam folder too, or try again tomorrow.",
  notSent: "The shop could not send the e-mail.",
  testStore: "This is a test store: it sends no e-mail.",
  atShop: "You can enter a new card on the shop’s own page.",
  openShop: "Go to the shop’s page",
  writeTo: "To pay in another way, write to",
  askShop: "To pay in another way, please ask the shop.",
};

type CardTexts = typeof en;

const de: CardTexts = {
  expired: (card) => `${card} ist abgelaufen.`,
  expiresBefore: (card, month, charge) =>
    `${card} läuft Ende ${month} ab, vor der nächsten Zahlung am ${charge}.`,
  expiresSoon: (card, month) => `${card} läuft Ende ${month} ab.`,
  revoked: (card) => `${card} kann nicht mehr belastet werden.`,
  another: "Eine neue Karte",
  sentOften:
    "Sie haben den Link heute schon dreimal angefordert. Suchen Sie die E-Mail, auch im Spam-Ordner, oder versuchen Sie es morgen noch einmal.",
  notSent: "Der Shop konnte die E-Mail nicht senden.",
  testStore: "Dies ist ein Test-Shop: Er sendet keine E-Mail.",
  atShop: "Auf der Seite des Shops können Sie eine neue Karte eingeben.",
  openShop: "Zur Seite des Shops",
  writeTo: "Möchten Sie anders zahlen? Schreiben Sie an",
  askShop: "Möchten Sie anders zahlen? Bitte fragen Sie den Shop.",
};

const fr: CardTexts = {
  expired: (card) => `${card} a expiré.`,
  expiresBefore: (card, month, charge) =>
    `${card} expire fin ${month}, avant le prochain paiement du ${charge}.`,
  expiresSoon: (card, month) => `${card} expire fin ${month}.`,
  revoked: (card) => `${card} ne peut plus être débitée.`,
  another: "Une nouvelle carte",
  sentOften:
    "Vous avez demandé le lien trois fois aujourd’hui. Cherchez l’e-mail, aussi dans vos indésirables, ou réessayez demain.",
  notSent: "La boutique n’a pas pu envoyer l’e-mail.",
  testStore: "Ceci est une boutique d’essai\u00a0: elle n’envoie pas d’e-mail.",
  atShop: "Vous pouvez saisir une nouvelle carte sur la page de la boutique.",
  openShop: "Aller sur la page de la boutique",
  writeTo: "Pour payer autrement, écrivez à",
  askShop: "Pour payer autrement, adressez-vous à la boutique.",
};

const es: CardTexts = {
  expired: (card) => `${card} ha caducado.`,
  expiresBefore: (card, month, charge) =>
    `${card} caduca a finales de ${month}, antes del próximo cobro del ${charge}.`,
  expiresSoon: (card, month) => `${card} caduca a finales de ${month}.`,
  revoked: (card) => `Ya no se puede cobrar en ${card}.`,
  another: "Una tarjeta nueva",
  sentOften:
    "Hoy ya has pedido el enlace tres veces. Busca el correo, también en el correo no deseado, o inténtalo mañana.",
  notSent: "La tienda no ha podido enviar el correo.",
  testStore: "Esta es una tienda de prueba: no envía ningún correo.",
  atShop: "Puedes introducir una tarjeta nueva en la página de la tienda.",
  openShop: "Ir a la página de la tienda",
  writeTo: "Para pagar de otra forma, escribe a",
  askShop: "Para pagar de otra forma, pregunta a la tienda.",
};

export const cardTexts: Record<PortalLocale, CardTexts> = { en, de, fr, es };
