import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Sentences about a field whose value was refused: the rule that it has to keep. */
const en = {
  of: (label: string, rule: string) => `${label}: ${rule}`,
  errorIn: (title: string) => `Error: ${title}`,
  required: "Please fill this in.",
  choose: "Please choose one.",
  chooseDay: "Choose a day.",
  from: (day: string) => `Choose a day from ${day} on.`,
  until: (day: string) => `Choose a day until ${day}.`,
  withinDays: (days: number, day: string) => `At most ${days} days: choose a day until ${day}.`,
  reach: (day: string) => `The next delivery can be on ${day} at the latest.`,
  characters: (most: number) => `At most ${most} characters.`,
  atLeast: (least: number) => `At least ${least}.`,
  atMost: (most: number) => `At most ${most}.`,
  email: "Enter it like this: ada@example.com",
  impossible: "This is not possible.",
};

type RuleTexts = typeof en;

const de: RuleTexts = {
  of: (label, rule) => `${label}: ${rule}`,
  errorIn: (title) => `Fehler: ${title}`,
  required: "Bitte füllen Sie das aus.",
  choose: "Bitte wählen Sie etwas aus.",
  chooseDay: "Wählen Sie einen Tag.",
  from: (day) => `Wählen Sie einen Tag ab ${day}.`,
  until: (day) => `Wählen Sie einen Tag bis ${day}.`,
  withinDays: (days, day) => `Höchstens ${days} Tage: Wählen Sie einen Tag bis ${day}.`,
  reach: (day) => `Die nächste Lieferung kann spätestens am ${day} kommen.`,
  characters: (most) => `Höchstens ${most} Zeichen.`,
  atLeast: (least) => `Mindestens ${least}.`,
  atMost: (most) => `Höchstens ${most}.`,
  email: "Schreiben Sie sie so: ada@example.com",
  impossible: "Das ist nicht möglich.",
};

const fr: RuleTexts = {
  of: (label, rule) => `${label}\u00a0: ${rule}`,
  errorIn: (title) => `Erreur\u00a0: ${title}`,
  required: "Veuillez remplir ce champ.",
  choose: "Veuillez faire un choix.",
  chooseDay: "Choisissez un jour.",
  from: (day) => `Choisissez un jour à partir du ${day}.`,
  until: (day) => `Choisissez un jour jusqu’au ${day}.`,
  withinDays: (days, day) => `${days} jours au maximum\u00a0: choisissez un jour jusqu’au ${day}.`,
  reach: (day) => `La prochaine livraison peut arriver le ${day} au plus tard.`,
  characters: (most) => `${most} caractères au maximum.`,
  atLeast: (least) => `Au moins ${least}.`,
  atMost: (most) => `${most} au maximum.`,
  email: "Saisissez-la ainsi\u00a0: ada@example.com",
  impossible: "Ce n’est pas possible.",
};

const es: RuleTexts = {
  of: (label, rule) => `${label}: ${rule}`,
  errorIn: (title) => `Error: ${title}`,
  required: "Rellena este campo.",
  choose: "Elige una opción.",
  chooseDay: "Elige un día.",
  from: (day) => `Elige un día a partir del ${day}.`,
  until: (day) => `Elige un día hasta el ${day}.`,
  withinDays: (days, day) => `${days} días como máximo: elige un día hasta el ${day}.`,
  reach: (day) => `La próxima entrega puede llegar el ${day} como muy tarde.`,
  characters: (most) => `${most} caracteres como máximo.`,
  atLeast: (least) => `Como mínimo ${least}.`,
  atMost: (most) => `Como máximo ${most}.`,
  email: "Escríbelo así: ada@example.com",
  impossible: "No es posible.",
};

export const ruleTexts: Record<PortalLocale, RuleTexts> = { en, de, fr, es };
