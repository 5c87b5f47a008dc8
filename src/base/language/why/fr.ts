import type { WhyWords } from "./en.ts";

export const fr: WhyWords = {
  by: {
    you: " à votre demande",
    customer: " à la demande de l’abonné(e)",
    shop: " par la boutique",
    named: (name) => ` par ${name}`,
  },
  failed: (amount, reason) => `Le paiement de ${amount} a échoué\u00a0: ${reason}.`,
  failedOn: (amount, date, product, reason) =>
    `Le ${date}, le paiement de ${amount} pour ${product} a échoué\u00a0: ${reason}.`,
  question:
    "Une question reste ouverte au sujet d’un paiement. Tant qu’elle n’est pas réglée, nous ne prélevons rien et ne prévoyons aucune nouvelle livraison. Vous n’avez rien à faire ici.",
  waits: {
    address:
      "Pour livrer, il nous faut une adresse complète. Rien n’est débité d’ici là, puis tout reprend automatiquement.",
    held: "Votre abonnement a été transféré ici. Rien n’est débité tant que la boutique ne l’a pas activé. Vous n’avez rien à faire.",
    review:
      "La boutique vérifie si un paiement a abouti. D’ici là, rien d’autre n’est débité. Vous n’avez rien à faire.",
    stock:
      "Un article est en rupture de stock. La boutique réessaie automatiquement et ne débite rien d’ici là.",
    shop: "La boutique ne peut pas encaisser de paiements en ce moment. Elle réessaie automatiquement et ne débite rien d’ici là. Vous n’avez rien à faire.",
  },
  states: {
    active: "L’abonnement est actif.",
    created: "L’abonnement est actif depuis sa souscription.",
    resumed: (by) => `L’abonnement a été repris${by}.`,
    restarted: (by) => `L’abonnement a recommencé${by}.`,
    recovered: "Le paiement dû a été effectué.",
    undone: (by) => `Un changement antérieur a été annulé${by}.`,
    paused: (by, until, reason) =>
      `L’abonnement a été suspendu${by}${until === null ? "" : ` jusqu’au ${until}`}${reason === null ? "." : `\u00a0: ${reason}`}`,
    pausedUnpaid: "L’abonnement a été suspendu, faute de paiement.",
    cancelled: (by, reason) =>
      `L’abonnement a été résilié${by}${reason === null ? "." : `\u00a0: ${reason}`}`,
    cancelledUnpaid: "L’abonnement a été résilié, faute de paiement.",
    ended: "L’abonnement est terminé, car le dernier des paiements prévus a été effectué.",
    unpaid: "Un paiement n’a pas été effectué, et il n’y aura pas d’autre essai automatique.",
    skipped: (by) => `Une livraison a été sautée${by}.`,
    moved: (by) => `La prochaine livraison a été déplacée${by}.`,
  },
  next: {
    charge: (amount) => `${amount} sont débités.`,
    retry: (amount) => `Le paiement de ${amount} est tenté de nouveau.`,
    delivery: (product) => `La prochaine livraison arrive\u00a0: ${product}.`,
    pauseEnds: "La suspension se termine.",
    confirmationEnds: (amount) => `Le paiement de ${amount} peut être confirmé jusque-là.`,
    unpaid: {
      fail: "Le paiement est abandonné, et rien n’est livré tant qu’il n’est pas effectué.",
      pause: "L’abonnement est suspendu.",
      cancel: "L’abonnement est résilié.",
    },
    ifPaid: "Le paiement doit aboutir.",
    ifPayable: "Il faut un moyen de paiement valide.",
    ifBilled: "La facturation doit reprendre.",
    ifUnpaid: "Le paiement n’est pas effectué d’ici là.",
  },
  parts: {
    line: (title, quantity) => (quantity === 1 ? title : `${quantity} × ${title}`),
    planned: "Remise d’abonnement",
    otherAmount: "La boutique a débité un autre montant",
  },
  now: {
    due: (date) => `L’échéance était le ${date}.`,
    afterWait: "La facturation avait dû attendre, et a été tentée de nouveau.",
    shipNow: (by) => `Le paiement et l’envoi immédiats ont été demandés${by}.`,
    retry: (by) => `Un nouvel essai a été demandé${by}.`,
    again: "Le paiement avait échoué auparavant, et a été tenté de nouveau.",
    switched: (by) => `Le moyen de paiement a été changé${by}, et un paiement était dû.`,
  },
  outcomes: {
    queued: (amount) => `Le paiement de ${amount} n’a pas encore été envoyé.`,
    running: (amount) => `Le paiement de ${amount} est en cours.`,
    unconfirmed: (amount) => `Le paiement de ${amount} doit être confirmé.`,
    inReview: (amount) => `La boutique vérifie si le paiement de ${amount} a abouti.`,
    paid: (amount, date) => `Le ${date}, ${amount} ont été payés.`,
    withdrawn: (amount) => `Le paiement de ${amount} a été retiré. Rien n’a été débité.`,
  },
};
