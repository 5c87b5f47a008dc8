import { fr as why } from "../why/fr.ts";
import type { Words } from "./en.ts";

export const fr: Words = {
  why,
  leaveHere: "Résilier votre contrat",
  withdrawHere: "Se rétracter du contrat ici",
  help: "Des questions\u00a0? Écrivez à",
  enter: "Ouvrir mes abonnements",
  andMore: (count) => `et ${count} ${count === 1 ? "autre" : "autres"}`,
  delivery: "Livraison prévue",
  nextDelivery: "Prochaine livraison",
  nextCharge: "Prochain paiement",
  amount: "Montant",
  frequency: "Fréquence",
  status: "État",
  address: "Adresse de livraison",
  payment: "Moyen de paiement",
  pausedUntil: "En pause jusqu’au",
  none: {
    delivery: "Aucune",
    charge: "Aucun",
    amount: "Rien",
    address: "Aucune",
    slot: "Aucun",
    instructions: "Aucune",
    items: "Aucun",
    payment: "Aucun",
  },
  shipping: "Livraison",
  discount: "Remise",
  tax: "Taxes",
  total: "Total",
  seller: "Vendu par",
  manage: "Gérer",
  confirmPayment: "Confirmer le paiement",
  statuses: {
    ACTIVE: "Actif",
    PAUSED: "En pause",
    CANCELLED: "Résilié",
    EXPIRED: "Terminé",
    PAYMENT_FAILED: "Paiement échoué",
  },
  every: (unit, count) => {
    const one = { DAY: "Chaque jour", WEEK: "Chaque semaine", MONTH: "Chaque mois", YEAR: "Chaque année" };
    const many = { DAY: "Tous les", WEEK: "Toutes les", MONTH: "Tous les", YEAR: "Tous les" }[unit];
    const noun = { DAY: "jours", WEEK: "semaines", MONTH: "mois", YEAR: "ans" }[unit];
    return count === 1 ? one[unit] : `${many} ${count} ${noun}`;
  },
  cancelAfter: (count) =>
    count === 1
      ? "Vous pourrez résilier après un paiement de plus."
      : `Vous pourrez résilier après ${count} paiements de plus.`,
  cancelFrom: (count, date) =>
    count === 1
      ? `Vous pourrez résilier après un paiement de plus, à partir du ${date}.`
      : `Vous pourrez résilier après ${count} paiements de plus, à partir du ${date}.`,
  brands: { sepa_debit: "Prélèvement SEPA" },
  undo: "Annuler ce changement",
  order: "Commande",
  tracking: "Suivi",
  changePayment: "Changer le moyen de paiement",
  resume: "Reprendre",
  startAgain: "Recommencer",
  payNow: "Payer maintenant",
  reasons: {
    funds: "la provision était insuffisante",
    expired: "la carte a expiré",
    removed: "le moyen de paiement a été supprimé",
    unconfirmed: "il n’a pas été confirmé",
    declined: "la banque l’a refusé",
    shop: "la boutique ne peut pas encaisser de paiements pour le moment",
    stock: "un article est épuisé",
  },
};
