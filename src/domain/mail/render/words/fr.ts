import { fr as words } from "../../../../base/language/words/fr.ts";
import type { MailWords } from "./en.ts";

export const fr: MailWords = {
  ...words,
  labelled: (label, value) => `${label}\u00a0: ${value}`,
  details: "Détails",
  items: "Articles",
  paidOn: "Payé le",
  changesUntil: "Modifiable jusqu’au",
  cancelling: "Pour résilier",
  nextTry: "Prochain essai",
  ifUnpaid: "Sans paiement",
  confirmUntil: "À confirmer jusqu’au",
  trackingNumber: "Numéro de suivi",
  validUntil: "Valable jusqu’au",
  before: "avant",
  manageSubscription: "Gérer mon abonnement",
  writeToChange: "Pour modifier, payer ou résilier quelque chose, écrivez à",
  answerToChange: "Pour modifier, payer ou résilier quelque chose, répondez à cet e-mail.",
  cancelAnyTime: "À tout moment, sur la page de votre abonnement.",
  cancelByShop: "Écrivez-nous, et nous le résilions pour vous.",
  nextChargeIs: (amount, date) => `Le prochain paiement est de ${amount}, le ${date}.`,
  becauseSubscribed: (shop) => `Vous recevez cet e-mail parce que vous avez un abonnement chez ${shop}.`,
  becauseAsked: (shop) =>
    `Vous recevez cet e-mail parce qu’un lien de connexion à ${shop} a été demandé pour cette adresse.`,
  login_link: {
    subject: (shop) => `Votre lien de connexion à ${shop}`,
    first: (shop, until) =>
      `Ce lien ouvre vos abonnements chez ${shop}. Il fonctionne une fois, jusqu’au ${until}.`,
    notAsked:
      "Vous ne l’avez pas demandé\u00a0? Alors vous n’avez rien à faire\u00a0: sans ce lien, personne ne peut entrer.",
  },
  declaration: {
    subject: {
      cancellation: (shop) => `Nous avons reçu votre résiliation chez ${shop}`,
      withdrawal: (shop) => `Nous avons reçu votre rétractation chez ${shop}`,
    },
    received: (when) => `Votre déclaration nous est parvenue le ${when}.`,
    ends: (date) => `Votre abonnement prend fin le ${date}. Plus rien n’est prélevé à partir de ce jour.`,
    endsAfterTerm: "Votre abonnement prend fin dès que sa durée minimale est écoulée.",
    continues: "Elle ne compte plus\u00a0: vous avez depuis repris votre abonnement.",
    open: {
      cancellation: "Elle prend effet dès que votre contrat le permet. Nous vous en indiquons la date.",
      withdrawal: "Nous l’examinons et vous répondons.",
    },
    declared: "Votre déclaration",
    kinds: { cancellation: "Résiliation", withdrawal: "Rétractation" },
    number: "Numéro d’abonnement ou de commande",
    from: "À partir de",
    soonest: "Dès que possible",
    grounds: "Type",
    ordinary: "Ordinaire",
    cause: "Pour motif légitime",
    reason: "Motif",
    notMe: "Ce n’était pas moi",
    notMeText: (until) =>
      `Vous n’avez pas fait cette déclaration\u00a0? Un clic l’annule, jusqu’au ${until}.`,
    because: (shop) =>
      `Vous recevez cet e-mail parce que quelqu’un a indiqué cette adresse sur la page de résiliation de ${shop}.`,
  },
  welcome: {
    subject: (product) => `Votre abonnement commence\u00a0: ${product}`,
    first: (product, amount, date) =>
      `Votre abonnement commence\u00a0: ${product}. Le prochain paiement est de ${amount}, le ${date}.`,
    firstUncharged: (product) => `Votre abonnement commence\u00a0: ${product}.`,
  },
  annual_notice: {
    subject: (product) => `Votre abonnement continue\u00a0: ${product}`,
    first: (product, amount) =>
      `Vous avez un abonnement\u00a0: ${product}. Il coûte ${amount} à chaque fois et continue jusqu’à ce que vous le résiliiez.`,
    next: "Voici ce qui est convenu. Si tout vous convient, vous n’avez rien à faire.",
    button: "Résilier l’abonnement",
  },
  upcoming_charge: {
    subject: (amount, date) => `Nous débiterons ${amount} le ${date}`,
    first: (amount, date, product) => `Le ${date}, nous débiterons ${amount} pour ${product}.`,
    next: (until) =>
      `Vous pouvez modifier ou résilier l’abonnement jusqu’au ${until}. Si tout vous convient, vous n’avez rien à faire.`,
    nextUncancellable: (until) =>
      `Vous pouvez modifier l’abonnement jusqu’au ${until}. Si tout vous convient, vous n’avez rien à faire.`,
    button: "Modifier ou résilier",
  },
  receipt: {
    subject: (order, amount) => `${order}\u00a0: ${amount} payés`,
    subjectUncharged: (order) => `${order}\u00a0: rien à payer`,
    yourOrder: (number) => (number === null ? "Votre commande" : `Votre commande ${number}`),
    paid: (amount, date, product) => `Le ${date}, vous avez payé ${amount} pour ${product}.`,
    prepaid: (date, product) =>
      `Le ${date}, votre prochaine livraison a été commandée\u00a0: ${product}. Elle est déjà payée, rien n’est débité.`,
    free: (date, product) =>
      `Le ${date}, votre prochaine livraison a été commandée\u00a0: ${product}. Rien n’est débité.`,
    delivery: (date) => `La livraison est prévue le ${date}.`,
  },
  payment_failed: {
    subjectRetry: (amount, date) => `Votre paiement de ${amount} a échoué. Prochain essai le ${date}`,
    subjectAct: (amount, date) => `Votre paiement de ${amount} a échoué. À payer au plus tard le ${date}`,
    subjectShop: (amount) => `Votre paiement de ${amount} est retardé`,
    retry: (date) =>
      `Nous réessaierons le ${date}. Vous pouvez aussi payer maintenant ou choisir un autre moyen de paiement.`,
    act: (date) =>
      `Nous ne réessaierons pas automatiquement. Payez au plus tard le ${date} ou choisissez un autre moyen de paiement.`,
    change: (date) =>
      `Nous ne réessaierons pas avec ce moyen de paiement. Choisissez-en un autre au plus tard le ${date}.`,
    shop: "Nous réessaierons automatiquement. Vous n’avez rien à faire.",
    ifUnpaid: {
      fail: (date) => `Pas de livraison à partir du ${date}, jusqu’au paiement`,
      pause: (date) => `Votre abonnement sera mis en pause le ${date}`,
      cancel: (date) => `Votre abonnement prendra fin le ${date}`,
    },
    alreadyPaid: "Déjà payé\u00a0? Alors vous n’avez rien à faire.",
  },
  confirm_payment: {
    subject: (amount, date) => `Veuillez confirmer votre paiement de ${amount} au plus tard le ${date}`,
    first: (amount, until, product) =>
      `Votre paiement de ${amount} pour ${product} attend votre confirmation jusqu’au ${until}.`,
    next: "Votre banque le demande. Rien n’est débité avant votre confirmation, et votre livraison attend jusque-là.",
    already: "Déjà confirmé\u00a0? Alors vous n’avez rien à faire.",
  },
  address_missing: {
    subject: "Il nous faut votre adresse pour la prochaine livraison",
    first: (product, missing) =>
      `Votre livraison de ${product} attend, car votre adresse n’est pas complète. Il manque\u00a0: ${missing}.`,
    next: "Rien n’est débité tant que l’adresse n’est pas complète. Ensuite, tout reprend automatiquement.",
    button: "Compléter l’adresse",
    fields: {
      address1: "numéro et rue",
      city: "ville",
      zip: "code postal",
      country_code: "pays",
    },
  },
  payment_ended: {
    first: (amount, date, product, reason) =>
      `Le paiement de ${amount} pour ${product} n’avait toujours pas abouti le ${date}\u00a0: ${reason}.`,
    subject: {
      fail: (amount) => `Pas de livraison avant le paiement de ${amount}`,
      pause: (amount) => `Votre abonnement est en pause\u00a0: ${amount} n’ont pas été payés`,
      cancel: (amount) => `Votre abonnement a pris fin\u00a0: ${amount} n’ont pas été payés`,
    },
    now: {
      fail: "Rien ne sera livré avant le paiement. Payez maintenant, et les livraisons reprennent.",
      pause: "Votre abonnement est en pause. Rien n’est débité ni envoyé jusqu’à ce que vous le repreniez.",
      cancel:
        "Votre abonnement a pris fin, et plus rien ne sera débité. Vous pouvez recommencer à tout moment.",
    },
  },
  card_expiring: {
    card: (card) => `Votre carte ${card}`,
    subject: (card, month) => `${card} expire fin ${month}`,
    first: (card, month, product) => `${card} expire fin ${month}. Elle paie ${product}.`,
    next: "Choisissez un autre moyen de paiement avant cette date, et vos livraisons continuent comme prévu.",
    none: "Aucun paiement prévu",
  },
  changed: {
    subject: {
      paused: "Votre abonnement est en pause",
      resumed: "Votre abonnement est de nouveau actif",
      skipped: "Votre prochaine livraison arrivera plus tard",
      unskipped: "Le saut d’une livraison est annulé",
      rescheduled: "Votre prochaine livraison est déplacée",
      frequency: "La fréquence de votre abonnement est modifiée",
      address: "Votre adresse de livraison est modifiée",
      lines: "Les articles de votre abonnement sont modifiés",
      cancelled: "Votre abonnement est résilié",
      reactivated: "Votre abonnement recommence",
      undone: "Votre abonnement est de nouveau comme avant",
    },
    first: {
      paused: (date) => `Le ${date}, votre abonnement a été mis en pause`,
      resumed: (date) => `Le ${date}, votre abonnement a été repris`,
      skipped: (date, count) =>
        count === 1
          ? `Le ${date}, la prochaine livraison a été sautée`
          : `Le ${date}, les ${count} prochaines livraisons ont été sautées`,
      unskipped: (date) => `Le ${date}, le saut d’une livraison a été annulé`,
      rescheduled: (date) => `Le ${date}, la prochaine livraison a été déplacée`,
      frequency: (date) => `Le ${date}, la fréquence de votre abonnement a été modifiée`,
      address: (date) => `Le ${date}, l’adresse de livraison de votre abonnement a été modifiée`,
      lines: (date) => `Le ${date}, les articles de votre abonnement ont été modifiés`,
      cancelled: (date) => `Le ${date}, votre abonnement a été résilié`,
      reactivated: (date) => `Le ${date}, votre abonnement a recommencé`,
      undone: (date) => `Le ${date}, un changement de votre abonnement a été annulé`,
    },
    byShop: (shop) => `${shop} a fait ce changement.`,
    nothingPaused: "Rien n’est débité pendant la pause.",
    nothingMore: "Plus rien ne sera débité.",
    lastDelivery: (date) => `La dernière livraison payée est prévue le ${date}.`,
    wayBack: {
      undo: {
        button: "Annuler ce changement",
        sentence: "Pendant un jour, vous pouvez annuler ce changement, et tout est comme avant.",
      },
      resume: {
        button: "Reprendre l’abonnement",
        sentence: "Si cela ne vous convient pas, vous pouvez le reprendre.",
      },
      unskip: {
        button: "Rétablir la livraison",
        sentence: "Si cela ne vous convient pas, vous pouvez rétablir la livraison.",
      },
      reactivate: {
        button: "Recommencer",
        sentence: "Vous pouvez recommencer à tout moment.",
      },
    },
  },
  price_change: {
    subject: (date, price) => `Nouveau prix à partir du ${date}\u00a0: ${price}`,
    subjectUndated: (price) => `Nouveau prix\u00a0: ${price}`,
    first: (date, product, to, from) => `À partir du ${date}, ${product} coûte ${to} au lieu de ${from}.`,
    firstUndated: (product, to, from) => `${product} coûtera ${to} au lieu de ${from}.`,
    later:
      "Le nouveau prix s’applique dès le premier paiement, une fois votre abonnement repris. Rien n’est débité d’ici là.",
    each: (price) => `${price} l’unité`,
    cancelUntil: (until) =>
      `Si cela ne vous convient pas, vous pouvez résilier l’abonnement jusqu’au ${until}. Sinon, vous n’avez rien à faire.`,
    cancelAnyTime:
      "Si cela ne vous convient pas, vous pouvez résilier l’abonnement à tout moment. Sinon, vous n’avez rien à faire.",
    nothingToDo: "Vous n’avez rien à faire.",
    price: "Prix unitaire",
    firstCharge: "Premier paiement au nouveau prix",
    amount: "Montant de ce paiement",
    button: "Résilier l’abonnement",
  },
  shipped: {
    subject: (number) =>
      number === null ? "Votre commande est en route" : `Votre commande ${number} est en route`,
    first: (product, date) => `Votre livraison est en route et devrait arriver le ${date}\u00a0: ${product}.`,
    firstUndated: (product) => `Votre livraison est en route\u00a0: ${product}.`,
    button: "Suivre le colis",
  },
};
