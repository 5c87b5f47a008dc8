import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts of the pages on which anybody cancels or withdraws. The words of the buttons are those of the law (domain/declarations/rules.ts). */
const en = {
  withoutSigningIn: "Without signing in:",
  leave: {
    title: "Cancel contracts here",
    intro: (shop: string) =>
      `Here you cancel a contract with ${shop}. You don’t need to sign in. On the next page you read what you have entered once more and confirm it.`,
    confirmTitle: "Please confirm your cancellation",
    confirm: "Cancel now",
    doneTitle: "Your cancellation has been received",
    doneText:
      "It takes effect as soon as your contract allows. We tell you the date by e-mail. Keep this confirmation: the text file says the same.",
  },
  withdraw: {
    title: "Withdraw from a contract here",
    intro: (shop: string) =>
      `Here you withdraw from a contract with ${shop}, within the days that the law gives you for that. You don’t need to sign in. On the next page you read what you have entered once more and confirm it.`,
    confirmTitle: "Please confirm your withdrawal",
    confirm: "Confirm withdrawal",
    doneTitle: "Your withdrawal has been received",
    doneText:
      "The shop looks at it and answers you by e-mail. Keep this confirmation: the text file says the same.",
  },
  name: "Your name",
  number: "Number of the subscription or of an order (if you know it)",
  from: "From when",
  soonest: "As soon as possible",
  onDate: "On a date",
  date: "Date",
  grounds: "Grounds",
  ordinary: "Ordinary cancellation",
  cause: "Cancellation for cause",
  reason: "Cause (for a cancellation for cause)",
  next: "Continue",
  correct: "Change what I entered",
  shop: "Shop",
  kind: "Declaration",
  cancellation: "Cancellation of a contract",
  withdrawal: "Withdrawal from a contract",
  receivedAt: (when: string) => `Received on ${when}`,
  received: "Received",
  save: "Save as a text file",
  tooMany: (address: string) =>
    `Too many declarations have come from your connection within an hour. Nothing was stored. Try again later, or write to ${address}.`,
  notMe: "This was not me",
  notMeText: "Somebody has cancelled your subscription with your e-mail address. Take that back here.",
  notMeButton: "Take the cancellation back",
  takenBack: "The cancellation is taken back",
  takenBackText: "Your subscription is as before.",
  notTakenBack:
    "This cannot be taken back here any more: it is more than 7 days ago, or the subscription was changed since. Please write to the shop.",
};

type DeclaringTexts = typeof en;

const de: DeclaringTexts = {
  withoutSigningIn: "Ohne Anmeldung:",
  leave: {
    title: "Verträge hier kündigen",
    intro: (shop) =>
      `Hier kündigen Sie einen Vertrag mit ${shop}. Sie müssen sich nicht anmelden. Auf der nächsten Seite lesen Sie Ihre Angaben noch einmal und bestätigen sie.`,
    confirmTitle: "Bitte bestätigen Sie Ihre Kündigung",
    confirm: "Jetzt kündigen",
    doneTitle: "Ihre Kündigung ist eingegangen",
    doneText:
      "Sie wirkt, sobald Ihr Vertrag es erlaubt. Das Datum teilen wir Ihnen per E-Mail mit. Bewahren Sie diese Bestätigung auf: Die Textdatei sagt dasselbe.",
  },
  withdraw: {
    title: "Vertrag widerrufen",
    intro: (shop) =>
      `Hier widerrufen Sie einen Vertrag mit ${shop}, innerhalb der Frist, die das Gesetz Ihnen dafür gibt. Sie müssen sich nicht anmelden. Auf der nächsten Seite lesen Sie Ihre Angaben noch einmal und bestätigen sie.`,
    confirmTitle: "Bitte bestätigen Sie Ihren Widerruf",
    confirm: "Widerruf bestätigen",
    doneTitle: "Ihr Widerruf ist eingegangen",
    doneText:
      "Der Shop prüft ihn und antwortet Ihnen per E-Mail. Bewahren Sie diese Bestätigung auf: Die Textdatei sagt dasselbe.",
  },
  name: "Ihr Name",
  number: "Nummer des Abos oder einer Bestellung (falls bekannt)",
  from: "Zeitpunkt",
  soonest: "Schnellstmöglich",
  onDate: "Zu einem Datum",
  date: "Datum",
  grounds: "Art der Kündigung",
  ordinary: "Ordentliche Kündigung",
  cause: "Außerordentliche Kündigung",
  reason: "Kündigungsgrund (bei einer außerordentlichen Kündigung)",
  next: "Weiter",
  correct: "Angaben ändern",
  shop: "Shop",
  kind: "Erklärung",
  cancellation: "Kündigung eines Vertrags",
  withdrawal: "Widerruf eines Vertrags",
  receivedAt: (when) => `Eingegangen am ${when}`,
  received: "Eingegangen",
  save: "Als Textdatei speichern",
  tooMany: (address) =>
    `Von Ihrem Anschluss kamen zu viele Erklärungen innerhalb einer Stunde. Es wurde nichts gespeichert. Versuchen Sie es später noch einmal, oder schreiben Sie an ${address}.`,
  notMe: "Das war ich nicht",
  notMeText: "Jemand hat Ihr Abo mit Ihrer E-Mail-Adresse gekündigt. Hier nehmen Sie das zurück.",
  notMeButton: "Kündigung zurücknehmen",
  takenBack: "Die Kündigung ist zurückgenommen",
  takenBackText: "Ihr Abo ist wie zuvor.",
  notTakenBack:
    "Das lässt sich hier nicht mehr zurücknehmen: Es ist länger als 7 Tage her, oder das Abo wurde seitdem geändert. Bitte schreiben Sie dem Shop.",
};

const fr: DeclaringTexts = {
  withoutSigningIn: "Sans vous connecter\u00a0:",
  leave: {
    title: "Résilier votre contrat",
    intro: (shop) =>
      `Ici, vous résiliez un contrat avec ${shop}. Vous n’avez pas besoin de vous connecter. À la page suivante, vous relisez ce que vous avez saisi et vous le confirmez.`,
    confirmTitle: "Confirmez votre résiliation",
    confirm: "Notifier la résiliation",
    doneTitle: "Votre résiliation nous est parvenue",
    doneText:
      "Elle prend effet dès que votre contrat le permet. Nous vous indiquons la date par e-mail. Conservez cette confirmation\u00a0: le fichier texte dit la même chose.",
  },
  withdraw: {
    title: "Se rétracter du contrat ici",
    intro: (shop) =>
      `Ici, vous vous rétractez d’un contrat avec ${shop}, dans le délai que la loi vous accorde. Vous n’avez pas besoin de vous connecter. À la page suivante, vous relisez ce que vous avez saisi et vous le confirmez.`,
    confirmTitle: "Confirmez votre rétractation",
    confirm: "Confirmer la rétractation",
    doneTitle: "Votre rétractation nous est parvenue",
    doneText:
      "La boutique l’examine et vous répond par e-mail. Conservez cette confirmation\u00a0: le fichier texte dit la même chose.",
  },
  name: "Votre nom",
  number: "Numéro de l’abonnement ou d’une commande (si vous le connaissez)",
  from: "À partir de quand",
  soonest: "Dès que possible",
  onDate: "À une date",
  date: "Date",
  grounds: "Type de résiliation",
  ordinary: "Résiliation ordinaire",
  cause: "Résiliation pour motif légitime",
  reason: "Motif (pour une résiliation pour motif légitime)",
  next: "Continuer",
  correct: "Modifier ma saisie",
  shop: "Boutique",
  kind: "Déclaration",
  cancellation: "Résiliation d’un contrat",
  withdrawal: "Rétractation d’un contrat",
  receivedAt: (when) => `Reçue le ${when}`,
  received: "Reçue",
  save: "Enregistrer en fichier texte",
  tooMany: (address) =>
    `Trop de déclarations sont venues de votre connexion en une heure. Rien n’a été enregistré. Réessayez plus tard, ou écrivez à ${address}.`,
  notMe: "Ce n’était pas moi",
  notMeText: "Quelqu’un a résilié votre abonnement avec votre adresse e-mail. Annulez-le ici.",
  notMeButton: "Annuler la résiliation",
  takenBack: "La résiliation est annulée",
  takenBackText: "Votre abonnement est comme avant.",
  notTakenBack:
    "Cela ne peut plus être annulé ici\u00a0: plus de 7 jours ont passé, ou l’abonnement a été modifié depuis. Écrivez à la boutique.",
};

const es: DeclaringTexts = {
  withoutSigningIn: "Sin iniciar sesión:",
  leave: {
    title: "Cancelar contratos aquí",
    intro: (shop) =>
      `Aquí cancelas un contrato con ${shop}. No hace falta iniciar sesión. En la página siguiente lees otra vez lo que has escrito y lo confirmas.`,
    confirmTitle: "Confirma tu cancelación",
    confirm: "Cancelar ahora",
    doneTitle: "Hemos recibido tu cancelación",
    doneText:
      "Tiene efecto en cuanto tu contrato lo permita. Te decimos la fecha por correo. Guarda esta confirmación: el archivo de texto dice lo mismo.",
  },
  withdraw: {
    title: "Desistir del contrato aquí",
    intro: (shop) =>
      `Aquí desistes de un contrato con ${shop}, dentro del plazo que te da la ley. No hace falta iniciar sesión. En la página siguiente lees otra vez lo que has escrito y lo confirmas.`,
    confirmTitle: "Confirma tu desistimiento",
    confirm: "Confirmar el desistimiento",
    doneTitle: "Hemos recibido tu desistimiento",
    doneText:
      "La tienda lo revisa y te responde por correo. Guarda esta confirmación: el archivo de texto dice lo mismo.",
  },
  name: "Tu nombre",
  number: "Número de la suscripción o de un pedido (si lo sabes)",
  from: "Desde cuándo",
  soonest: "Lo antes posible",
  onDate: "En una fecha",
  date: "Fecha",
  grounds: "Tipo de cancelación",
  ordinary: "Cancelación ordinaria",
  cause: "Cancelación por causa justificada",
  reason: "Causa (para una cancelación por causa justificada)",
  next: "Continuar",
  correct: "Cambiar lo que he escrito",
  shop: "Tienda",
  kind: "Declaración",
  cancellation: "Cancelación de un contrato",
  withdrawal: "Desistimiento de un contrato",
  receivedAt: (when) => `Recibida el ${when}`,
  received: "Recibida",
  save: "Guardar como archivo de texto",
  tooMany: (address) =>
    `Han llegado demasiadas declaraciones desde tu conexión en una hora. No se ha guardado nada. Inténtalo más tarde o escribe a ${address}.`,
  notMe: "No he sido yo",
  notMeText: "Alguien ha cancelado tu suscripción con tu dirección de correo. Anúlalo aquí.",
  notMeButton: "Anular la cancelación",
  takenBack: "La cancelación está anulada",
  takenBackText: "Tu suscripción está como antes.",
  notTakenBack:
    "Ya no se puede anular aquí: han pasado más de 7 días o la suscripción ha cambiado desde entonces. Escribe a la tienda.",
};

export const declaringTexts: Record<PortalLocale, DeclaringTexts> = { en, de, fr, es };
