import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts that are short so that they fit beside each other: buttons, folds, one-line facts. */
const en = {
  /** Buttons beside the next delivery, whose card says of what they are. */
  short: { skip: "Skip", schedule: "Move", "ship-now": "Send now", unskip: "Undo skip" },
  charged: (date: string) => `Charged ${date}`,
  more: (count: number) => `${count} more`,
  edit: "Edit",
  account: "Your account",
  deliveryStays: (date: string) => `The next delivery stays on ${date}.`,
  chargeStays: (date: string) => `The next charge stays on ${date}.`,
  amountStays: (amount: string) => `The amount stays ${amount}.`,
};

type LookTexts = typeof en;

const de: LookTexts = {
  short: {
    skip: "Auslassen",
    schedule: "Verschieben",
    "ship-now": "Jetzt liefern",
    unskip: "Auslassen zurücknehmen",
  },
  charged: (date) => `Abbuchung am ${date}`,
  more: (count) => `${count} weitere`,
  edit: "Bearbeiten",
  account: "Ihr Konto",
  deliveryStays: (date) => `Die nächste Lieferung bleibt am ${date}.`,
  chargeStays: (date) => `Die nächste Zahlung bleibt am ${date}.`,
  amountStays: (amount) => `Der Betrag bleibt ${amount}.`,
};

const fr: LookTexts = {
  short: { skip: "Sauter", schedule: "Déplacer", "ship-now": "Envoyer", unskip: "Annuler le saut" },
  charged: (date) => `Débité le ${date}`,
  more: (count) => (count === 1 ? "1 autre" : `${count} autres`),
  edit: "Modifier",
  account: "Votre compte",
  deliveryStays: (date) => `La prochaine livraison reste le ${date}.`,
  chargeStays: (date) => `Le prochain paiement reste le ${date}.`,
  amountStays: (amount) => `Le montant reste de ${amount}.`,
};

const es: LookTexts = {
  short: { skip: "Saltar", schedule: "Mover", "ship-now": "Enviar ya", unskip: "Deshacer salto" },
  charged: (date) => `Cobro el ${date}`,
  more: (count) => `${count} más`,
  edit: "Editar",
  account: "Tu cuenta",
  deliveryStays: (date) => `La próxima entrega sigue siendo el ${date}.`,
  chargeStays: (date) => `El próximo cobro sigue siendo el ${date}.`,
  amountStays: (amount) => `El importe sigue siendo ${amount}.`,
};

export const lookTexts: Record<PortalLocale, LookTexts> = { en, de, fr, es };
