import { de as why } from "../why/de.ts";
import type { Words } from "./en.ts";

export const de: Words = {
  why,
  leaveHere: "Verträge hier kündigen",
  withdrawHere: "Vertrag widerrufen",
  help: "Fragen? Schreiben Sie an",
  enter: "Meine Abos öffnen",
  andMore: (count) => `und ${count} weitere${count === 1 ? "s Produkt" : " Produkte"}`,
  delivery: "Lieferung",
  nextDelivery: "Nächste Lieferung",
  nextCharge: "Nächste Zahlung",
  amount: "Betrag",
  frequency: "Rhythmus",
  status: "Status",
  address: "Lieferadresse",
  payment: "Zahlungsart",
  pausedUntil: "Pausiert bis",
  none: {
    delivery: "Keine",
    charge: "Keine",
    amount: "Nichts",
    address: "Keine",
    slot: "Keines",
    instructions: "Keiner",
    items: "Keine",
    payment: "Keine",
  },
  shipping: "Versand",
  discount: "Rabatt",
  tax: "Steuer",
  total: "Summe",
  seller: "Verkauft von",
  manage: "Verwalten",
  confirmPayment: "Zahlung bestätigen",
  statuses: {
    ACTIVE: "Aktiv",
    PAUSED: "Pausiert",
    CANCELLED: "Gekündigt",
    EXPIRED: "Beendet",
    PAYMENT_FAILED: "Zahlung fehlgeschlagen",
  },
  every: (unit, count) => {
    const one = { DAY: "Jeden Tag", WEEK: "Jede Woche", MONTH: "Jeden Monat", YEAR: "Jedes Jahr" }[unit];
    const many = { DAY: "Tage", WEEK: "Wochen", MONTH: "Monate", YEAR: "Jahre" }[unit];
    return count === 1 ? one : `Alle ${count} ${many}`;
  },
  cancelAfter: (count) =>
    count === 1
      ? "Sie können nach einer weiteren Zahlung kündigen."
      : `Sie können nach ${count} weiteren Zahlungen kündigen.`,
  cancelFrom: (count, date) =>
    count === 1
      ? `Sie können nach einer weiteren Zahlung kündigen, ab ${date}.`
      : `Sie können nach ${count} weiteren Zahlungen kündigen, ab ${date}.`,
  brands: { sepa_debit: "SEPA-Lastschrift" },
  undo: "Rückgängig",
  order: "Bestellung",
  tracking: "Sendung verfolgen",
  changePayment: "Zahlungsart ändern",
  resume: "Fortsetzen",
  startAgain: "Neu beginnen",
  payNow: "Jetzt zahlen",
  reasons: {
    funds: "das Konto war nicht gedeckt",
    expired: "die Karte ist abgelaufen",
    removed: "die Zahlungsart wurde entfernt",
    unconfirmed: "sie wurde nicht bestätigt",
    declined: "die Bank hat sie abgelehnt",
    shop: "der Shop kann zurzeit keine Zahlungen annehmen",
    stock: "etwas ist nicht auf Lager",
  },
};
