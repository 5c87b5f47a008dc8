import type { WhyWords } from "./en.ts";

export const de: WhyWords = {
  by: {
    you: " von Ihnen",
    customer: " von der Kundin oder dem Kunden",
    shop: " vom Shop",
    named: (name) => ` von ${name}`,
  },
  failed: (amount, reason) => `Die Zahlung von ${amount} ist fehlgeschlagen: ${reason}.`,
  failedOn: (amount, date, product, reason) =>
    `Am ${date} ist die Zahlung von ${amount} für ${product} fehlgeschlagen: ${reason}.`,
  question:
    "Zu einer Zahlung ist eine Frage offen. Bis sie geklärt ist, buchen wir nichts ab und planen keine neuen Lieferungen. Sie müssen hier nichts tun.",
  waits: {
    address:
      "Für die Lieferung brauchen wir eine vollständige Adresse. Bis dahin wird nichts abgebucht, danach geht es von selbst weiter.",
    held: "Ihr Abo ist hierher umgezogen. Bis der Shop es freigibt, wird nichts abgebucht. Sie müssen nichts tun.",
    review:
      "Der Shop prüft, ob eine Zahlung erfolgt ist. Bis dahin wird nichts weiter abgebucht. Sie müssen nichts tun.",
    stock: "Etwas ist nicht vorrätig. Der Shop versucht es von selbst wieder und bucht bis dahin nichts ab.",
    shop: "Der Shop kann gerade keine Zahlungen annehmen. Er versucht es von selbst wieder und bucht bis dahin nichts ab. Sie müssen nichts tun.",
  },
  states: {
    active: "Das Abo läuft.",
    created: "Das Abo läuft, seit es abgeschlossen wurde.",
    resumed: (by) => `Das Abo wurde${by} fortgesetzt.`,
    restarted: (by) => `Das Abo wurde${by} neu begonnen.`,
    recovered: "Die offene Zahlung ist erfolgt.",
    undone: (by) => `Eine vorherige Änderung wurde${by} rückgängig gemacht.`,
    paused: (by, until, reason) =>
      `Das Abo wurde${by}${until === null ? "" : ` bis ${until}`} pausiert${reason === null ? "." : `: ${reason}`}`,
    pausedUnpaid: "Das Abo wurde pausiert, weil eine Zahlung ausgeblieben ist.",
    cancelled: (by, reason) => `Das Abo wurde${by} gekündigt${reason === null ? "." : `: ${reason}`}`,
    cancelledUnpaid: "Das Abo wurde gekündigt, weil eine Zahlung ausgeblieben ist.",
    ended: "Das Abo ist zu Ende, weil die letzte vereinbarte Zahlung erfolgt ist.",
    unpaid: "Eine Zahlung ist ausgeblieben und wird nicht von selbst noch einmal versucht.",
    skipped: (by) => `Eine Lieferung wurde${by} ausgelassen.`,
    moved: (by) => `Die nächste Lieferung wurde${by} verschoben.`,
  },
  next: {
    charge: (amount) => `${amount} werden abgebucht.`,
    retry: (amount) => `Die Zahlung von ${amount} wird noch einmal versucht.`,
    delivery: (product) => `Die nächste Lieferung kommt: ${product}.`,
    pauseEnds: "Die Pause endet.",
    confirmationEnds: (amount) => `Bis dahin kann die Zahlung von ${amount} bestätigt werden.`,
    unpaid: {
      fail: "Die Zahlung wird aufgegeben, und es gibt keine Lieferungen, bis sie erfolgt ist.",
      pause: "Das Abo wird pausiert.",
      cancel: "Das Abo wird gekündigt.",
    },
    ifPaid: "Die Zahlung muss gelingen.",
    ifPayable: "Es muss eine gültige Zahlungsart geben.",
    ifBilled: "Die Abrechnung muss weitergehen.",
    ifUnpaid: "Bis dahin erfolgt die Zahlung nicht.",
  },
  parts: {
    line: (title, quantity) => (quantity === 1 ? title : `${quantity} × ${title}`),
    planned: "Rabatt für das Abo",
    otherAmount: "Der Shop hat einen anderen Betrag abgebucht",
  },
  now: {
    due: (date) => `Die Zahlung war am ${date} fällig.`,
    afterWait: "Die Abrechnung musste vorher warten und wurde noch einmal versucht.",
    shipNow: (by) => `Die sofortige Zahlung und Lieferung wurde${by} gewünscht.`,
    retry: (by) => `Ein weiterer Versuch wurde${by} gewünscht.`,
    again: "Die Zahlung war vorher fehlgeschlagen und wurde noch einmal versucht.",
    switched: (by) => `Die Zahlungsart wurde${by} geändert, und eine Zahlung war offen.`,
  },
  outcomes: {
    queued: (amount) => `Die Zahlung von ${amount} ist noch nicht abgeschickt.`,
    running: (amount) => `Die Zahlung von ${amount} ist in Arbeit.`,
    unconfirmed: (amount) => `Die Zahlung von ${amount} muss noch bestätigt werden.`,
    inReview: (amount) => `Der Shop prüft, ob die Zahlung von ${amount} angekommen ist.`,
    paid: (amount, date) => `Am ${date} wurden ${amount} bezahlt.`,
    withdrawn: (amount) => `Die Zahlung von ${amount} wurde zurückgezogen. Es wurde nichts berechnet.`,
  },
};
