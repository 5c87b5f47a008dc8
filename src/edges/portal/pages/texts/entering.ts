import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts about entering a payment method, and about confirming a payment, where the portal has pages for that. */
const en = {
  open: "Enter a new card",
  text: "You can enter another card or bank account. It is stored by our payment provider. Nothing is charged now.",
  openCheckout: "Continue at the payment provider",
  here: "Or enter it here",
  save: "Save",
  saving: "One moment, please …",
  form: "New payment method",
  failed: "That did not work. Please try again, or continue at the payment provider.",
  notEntered: "No new payment method was saved. You can try again.",
  notAvailable: "The payment provider is not available at the moment. Please try again later.",
  payTitle: "Confirm a payment",
  payFor: (amount: string, what: string) =>
    `Your bank asks you to confirm the payment of ${amount} for ${what}.`,
  payUntil: (until: string) => `You can confirm it until ${until}.`,
  pay: (amount: string) => `Confirm ${amount}`,
  payFailed: "The payment was not confirmed. You can try again, or pay with another card.",
  payNeedsScript:
    "To confirm the payment your browser has to run JavaScript. You can also pay with another card.",
  payOver: "This payment can no longer be confirmed.",
  toSubscription: "To your subscription",
};

type EnteringTexts = typeof en;

const de: EnteringTexts = {
  open: "Neue Karte eingeben",
  text: "Sie können eine andere Karte oder ein anderes Bankkonto angeben. Unser Zahlungsanbieter speichert die Angaben. Jetzt wird nichts abgebucht.",
  openCheckout: "Weiter zum Zahlungsanbieter",
  here: "Oder hier eingeben",
  save: "Speichern",
  saving: "Einen Moment bitte …",
  form: "Neue Zahlungsart",
  failed: "Das hat nicht geklappt. Versuchen Sie es noch einmal, oder gehen Sie weiter zum Zahlungsanbieter.",
  notEntered: "Es wurde keine neue Zahlungsart gespeichert. Sie können es noch einmal versuchen.",
  notAvailable:
    "Der Zahlungsanbieter ist gerade nicht erreichbar. Bitte versuchen Sie es später noch einmal.",
  payTitle: "Eine Zahlung bestätigen",
  payFor: (amount, what) => `Ihre Bank bittet Sie, die Zahlung von ${amount} für ${what} zu bestätigen.`,
  payUntil: (until) => `Sie können sie bis ${until} bestätigen.`,
  pay: (amount) => `${amount} bestätigen`,
  payFailed:
    "Die Zahlung wurde nicht bestätigt. Sie können es noch einmal versuchen oder mit einer anderen Karte zahlen.",
  payNeedsScript:
    "Um die Zahlung zu bestätigen, muss Ihr Browser JavaScript ausführen. Sie können auch mit einer anderen Karte zahlen.",
  payOver: "Diese Zahlung kann nicht mehr bestätigt werden.",
  toSubscription: "Zu Ihrem Abo",
};

const fr: EnteringTexts = {
  open: "Saisir une nouvelle carte",
  text: "Vous pouvez saisir une autre carte ou un autre compte bancaire. Notre prestataire de paiement les enregistre. Rien n’est débité maintenant.",
  openCheckout: "Continuer chez le prestataire de paiement",
  here: "Ou saisissez-la ici",
  save: "Enregistrer",
  saving: "Un instant, s’il vous plaît…",
  form: "Nouveau moyen de paiement",
  failed: "Cela n’a pas fonctionné. Réessayez, ou continuez chez le prestataire de paiement.",
  notEntered: "Aucun nouveau moyen de paiement n’a été enregistré. Vous pouvez réessayer.",
  notAvailable:
    "Le prestataire de paiement n’est pas disponible pour le moment. Veuillez réessayer plus tard.",
  payTitle: "Confirmer un paiement",
  payFor: (amount, what) => `Votre banque vous demande de confirmer le paiement de ${amount} pour ${what}.`,
  payUntil: (until) => `Vous pouvez le confirmer jusqu’au ${until}.`,
  pay: (amount) => `Confirmer ${amount}`,
  payFailed: "Le paiement n’a pas été confirmé. Vous pouvez réessayer, ou payer avec une autre carte.",
  payNeedsScript:
    "Pour confirmer le paiement, votre navigateur doit exécuter JavaScript. Vous pouvez aussi payer avec une autre carte.",
  payOver: "Ce paiement ne peut plus être confirmé.",
  toSubscription: "Vers votre abonnement",
};

const es: EnteringTexts = {
  open: "Introducir una tarjeta nueva",
  text: "Puedes introducir otra tarjeta u otra cuenta bancaria. Nuestro proveedor de pagos guarda los datos. Ahora no se cobra nada.",
  openCheckout: "Continuar en el proveedor de pagos",
  here: "O introdúcela aquí",
  save: "Guardar",
  saving: "Un momento, por favor…",
  form: "Nueva forma de pago",
  failed: "No ha funcionado. Inténtalo otra vez, o continúa en el proveedor de pagos.",
  notEntered: "No se ha guardado ninguna forma de pago nueva. Puedes intentarlo otra vez.",
  notAvailable: "El proveedor de pagos no está disponible en este momento. Inténtalo más tarde.",
  payTitle: "Confirmar un pago",
  payFor: (amount, what) => `Tu banco te pide que confirmes el pago de ${amount} por ${what}.`,
  payUntil: (until) => `Puedes confirmarlo hasta el ${until}.`,
  pay: (amount) => `Confirmar ${amount}`,
  payFailed: "El pago no se ha confirmado. Puedes intentarlo otra vez, o pagar con otra tarjeta.",
  payNeedsScript:
    "Para confirmar el pago, tu navegador tiene que ejecutar JavaScript. También puedes pagar con otra tarjeta.",
  payOver: "Este pago ya no se puede confirmar.",
  toSubscription: "A tu suscripción",
};

export const enteringTexts: Record<PortalLocale, EnteringTexts> = { en, de, fr, es };
