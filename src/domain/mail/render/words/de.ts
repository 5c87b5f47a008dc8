import { de as words } from "../../../../base/language/words/de.ts";
import type { MailWords } from "./en.ts";

export const de: MailWords = {
  ...words,
  labelled: (label, value) => `${label}: ${value}`,
  details: "Angaben",
  items: "Artikel",
  paidOn: "Bezahlt am",
  changesUntil: "Änderungen bis",
  cancelling: "Kündigung",
  nextTry: "Nächster Versuch",
  ifUnpaid: "Ohne Zahlung",
  confirmUntil: "Bestätigen bis",
  trackingNumber: "Sendungsnr.",
  validUntil: "Gültig bis",
  before: "vorher",
  manageSubscription: "Mein Abo verwalten",
  writeToChange: "Wenn Sie etwas ändern, bezahlen oder kündigen möchten, schreiben Sie an",
  answerToChange: "Wenn Sie etwas ändern, bezahlen oder kündigen möchten, antworten Sie auf diese E-Mail.",
  cancelAnyTime: "Jederzeit, auf der Seite Ihres Abos.",
  cancelByShop: "Schreiben Sie uns, und wir kündigen für Sie.",
  nextChargeIs: (amount, date) => `Die nächste Zahlung von ${amount} ist am ${date}.`,
  becauseSubscribed: (shop) => `Sie erhalten diese E-Mail, weil Sie ein Abo bei ${shop} haben.`,
  becauseAsked: (shop) =>
    `Sie erhalten diese E-Mail, weil bei ${shop} jemand einen Anmeldelink für diese Adresse angefordert hat.`,
  login_link: {
    subject: (shop) => `Ihr Anmeldelink für ${shop}`,
    first: (shop, until) => `Dieser Link öffnet Ihre Abos bei ${shop}. Er gilt einmal, bis ${until}.`,
    notAsked:
      "Sie haben keinen Link angefordert? Dann müssen Sie nichts tun: Ohne den Link kommt niemand hinein.",
  },
  declaration: {
    subject: {
      cancellation: (shop) => `Ihre Kündigung bei ${shop} ist eingegangen`,
      withdrawal: (shop) => `Ihr Widerruf bei ${shop} ist eingegangen`,
    },
    received: (when) => `Ihre Erklärung ist am ${when} bei uns eingegangen.`,
    ends: (date) => `Ihr Abo endet am ${date}. Ab diesem Tag wird nichts mehr abgebucht.`,
    endsAfterTerm: "Ihr Abo endet, sobald die Mindestlaufzeit vorbei ist.",
    continues: "Sie gilt nicht mehr: Sie haben Ihr Abo seitdem wieder begonnen.",
    open: {
      cancellation: "Sie wirkt, sobald Ihr Vertrag es erlaubt. Das Datum teilen wir Ihnen mit.",
      withdrawal: "Wir prüfen ihn und antworten Ihnen.",
    },
    declared: "Ihre Erklärung",
    kinds: { cancellation: "Kündigung", withdrawal: "Widerruf" },
    number: "Abo- oder Bestellnummer",
    from: "Zeitpunkt",
    soonest: "Schnellstmöglich",
    grounds: "Art",
    ordinary: "Ordentlich",
    cause: "Aus wichtigem Grund",
    reason: "Grund",
    notMe: "Das war ich nicht",
    notMeText: (until) => `Sie haben das nicht erklärt? Ein Klick nimmt es zurück, bis ${until}.`,
    because: (shop) =>
      `Sie erhalten diese E-Mail, weil jemand diese Adresse auf der Kündigungsseite von ${shop} angegeben hat.`,
  },
  welcome: {
    subject: (product) => `Ihr Abo hat begonnen: ${product}`,
    first: (product, amount, date) =>
      `Ihr Abo hat begonnen: ${product}. Die nächste Zahlung von ${amount} ist am ${date}.`,
    firstUncharged: (product) => `Ihr Abo hat begonnen: ${product}.`,
  },
  annual_notice: {
    subject: (product) => `Ihr Abo läuft weiter: ${product}`,
    first: (product, amount) =>
      `Sie haben ein Abo: ${product}. Es kostet jedes Mal ${amount} und läuft weiter, bis Sie es kündigen.`,
    next: "So ist es vereinbart. Wenn Ihnen alles recht ist, müssen Sie nichts tun.",
    button: "Abo kündigen",
  },
  upcoming_charge: {
    subject: (amount, date) => `Am ${date} buchen wir ${amount} ab`,
    first: (amount, date, product) => `Am ${date} buchen wir ${amount} für ${product} ab.`,
    next: (until) =>
      `Bis ${until} können Sie das Abo ändern oder kündigen. Soll alles so bleiben, müssen Sie nichts tun.`,
    nextUncancellable: (until) =>
      `Bis ${until} können Sie das Abo ändern. Soll alles so bleiben, müssen Sie nichts tun.`,
    button: "Ändern oder kündigen",
  },
  receipt: {
    subject: (order, amount) => `${order}: ${amount} bezahlt`,
    subjectUncharged: (order) => `${order}: nichts zu zahlen`,
    yourOrder: (number) => (number === null ? "Ihre Bestellung" : `Ihre Bestellung ${number}`),
    paid: (amount, date, product) => `Am ${date} haben Sie ${amount} für ${product} bezahlt.`,
    prepaid: (date, product) =>
      `Am ${date} wurde Ihre nächste Lieferung bestellt: ${product}. Sie ist schon bezahlt, es wird nichts berechnet.`,
    free: (date, product) =>
      `Am ${date} wurde Ihre nächste Lieferung bestellt: ${product}. Dafür wird nichts berechnet.`,
    delivery: (date) => `Die Lieferung ist für ${date} geplant.`,
  },
  payment_failed: {
    subjectRetry: (amount, date) => `Zahlung von ${amount} fehlgeschlagen. Nächster Versuch: ${date}`,
    subjectAct: (amount, date) => `Zahlung von ${amount} fehlgeschlagen. Bitte zahlen Sie bis ${date}`,
    subjectShop: (amount) => `Ihre Zahlung von ${amount} verzögert sich`,
    retry: (date) =>
      `Am ${date} versuchen wir es noch einmal. Sie können auch jetzt zahlen oder eine andere Zahlungsart wählen.`,
    act: (date) =>
      `Von selbst versuchen wir es nicht noch einmal. Bitte zahlen Sie bis ${date} oder wählen Sie eine andere Zahlungsart.`,
    change: (date) =>
      `Mit dieser Zahlungsart versuchen wir es nicht noch einmal. Bitte wählen Sie bis ${date} eine andere.`,
    shop: "Wir versuchen es von selbst noch einmal. Sie müssen nichts tun.",
    ifUnpaid: {
      fail: (date) => `Ab ${date} keine Lieferungen, bis bezahlt ist`,
      pause: (date) => `Am ${date} wird Ihr Abo pausiert`,
      cancel: (date) => `Am ${date} endet Ihr Abo`,
    },
    alreadyPaid: "Schon bezahlt? Dann müssen Sie nichts tun.",
  },
  confirm_payment: {
    subject: (amount, date) => `Bitte bestätigen Sie bis ${date} Ihre Zahlung von ${amount}`,
    first: (amount, until, product) =>
      `Ihre Zahlung von ${amount} für ${product} wartet bis ${until} auf Ihre Bestätigung.`,
    next: "Ihre Bank verlangt das. Vorher wird nichts abgebucht, und Ihre Lieferung wartet so lange.",
    already: "Schon bestätigt? Dann müssen Sie nichts tun.",
  },
  address_missing: {
    subject: "Für die nächste Lieferung brauchen wir Ihre Adresse",
    first: (product, missing) =>
      `Ihre Lieferung (${product}) wartet, weil in Ihrer Adresse etwas fehlt: ${missing}.`,
    next: "Bis die Adresse vollständig ist, wird nichts abgebucht. Danach geht es von selbst weiter.",
    button: "Adresse ergänzen",
    fields: {
      address1: "Straße und Hausnummer",
      city: "Ort",
      zip: "Postleitzahl",
      country_code: "Land",
    },
  },
  payment_ended: {
    first: (amount, date, product, reason) =>
      `Die Zahlung von ${amount} für ${product} ist bis ${date} nicht gelungen: ${reason}.`,
    subject: {
      fail: (amount) => `Keine Lieferungen, bis ${amount} bezahlt sind`,
      pause: (amount) => `Ihr Abo pausiert: ${amount} wurden nicht bezahlt`,
      cancel: (amount) => `Ihr Abo ist beendet: ${amount} wurden nicht bezahlt`,
    },
    now: {
      fail: "Solange der Betrag offen ist, wird nichts geliefert. Zahlen Sie jetzt, dann gehen die Lieferungen weiter.",
      pause: "Ihr Abo pausiert. Bis Sie es fortsetzen, wird nichts berechnet und nichts geliefert.",
      cancel: "Ihr Abo ist beendet, und es wird nichts mehr berechnet. Sie können jederzeit neu beginnen.",
    },
  },
  card_expiring: {
    card: (card) => `Ihre Karte ${card}`,
    subject: (card, month) => `${card} läuft Ende ${month} ab`,
    first: (card, month, product) => `${card} läuft Ende ${month} ab. Mit ihr zahlen Sie ${product}.`,
    next: "Wählen Sie vorher eine andere Zahlungsart, dann gehen Ihre Lieferungen weiter wie geplant.",
    none: "Keine Zahlung geplant",
  },
  changed: {
    subject: {
      paused: "Ihr Abo pausiert",
      resumed: "Ihr Abo ist wieder aktiv",
      skipped: "Ihre nächste Lieferung kommt später",
      unskipped: "Das Auslassen einer Lieferung ist rückgängig gemacht",
      rescheduled: "Ihre nächste Lieferung ist verschoben",
      frequency: "Ihr Abo hat einen anderen Rhythmus",
      address: "Ihre Lieferadresse ist geändert",
      lines: "Die Artikel Ihres Abos sind geändert",
      cancelled: "Ihr Abo ist gekündigt",
      reactivated: "Ihr Abo beginnt wieder",
      undone: "Ihr Abo ist wieder wie zuvor",
    },
    first: {
      paused: (date) => `Am ${date} wurde Ihr Abo pausiert`,
      resumed: (date) => `Am ${date} wurde Ihr Abo fortgesetzt`,
      skipped: (date, count) =>
        count === 1
          ? `Am ${date} wurde die nächste Lieferung ausgelassen`
          : `Am ${date} wurden die nächsten ${count} Lieferungen ausgelassen`,
      unskipped: (date) => `Am ${date} wurde das Auslassen einer Lieferung rückgängig gemacht`,
      rescheduled: (date) => `Am ${date} wurde die nächste Lieferung verschoben`,
      frequency: (date) => `Am ${date} wurde der Rhythmus Ihres Abos geändert`,
      address: (date) => `Am ${date} wurde die Lieferadresse Ihres Abos geändert`,
      lines: (date) => `Am ${date} wurden die Artikel Ihres Abos geändert`,
      cancelled: (date) => `Am ${date} wurde Ihr Abo gekündigt`,
      reactivated: (date) => `Am ${date} wurde Ihr Abo neu begonnen`,
      undone: (date) => `Am ${date} wurde eine Änderung Ihres Abos rückgängig gemacht`,
    },
    byShop: (shop) => `${shop} hat das geändert.`,
    nothingPaused: "Während der Pause wird nichts berechnet.",
    nothingMore: "Es wird nichts mehr berechnet.",
    lastDelivery: (date) => `Die letzte bezahlte Lieferung ist für ${date} geplant.`,
    wayBack: {
      undo: {
        button: "Rückgängig machen",
        sentence: "Einen Tag lang können Sie das rückgängig machen, und alles ist wie zuvor.",
      },
      resume: {
        button: "Abo fortsetzen",
        sentence: "Wenn Sie das nicht möchten, können Sie es fortsetzen.",
      },
      unskip: {
        button: "Lieferung zurückholen",
        sentence: "Wenn Sie das nicht möchten, können Sie die Lieferung zurückholen.",
      },
      reactivate: {
        button: "Neu beginnen",
        sentence: "Sie können jederzeit neu beginnen.",
      },
    },
  },
  price_change: {
    subject: (date, price) => `Neuer Preis ab ${date}: ${price}`,
    subjectUndated: (price) => `Neuer Preis: ${price}`,
    first: (date, product, to, from) => `Ab ${date} kostet ${product} ${to} statt ${from}.`,
    firstUndated: (product, to, from) => `${product} kostet künftig ${to} statt ${from}.`,
    later:
      "Der neue Preis gilt ab der ersten Zahlung, sobald Ihr Abo wieder aktiv ist. Bis dahin wird nichts berechnet.",
    each: (price) => `${price} je Stück`,
    cancelUntil: (until) =>
      `Möchten Sie das nicht, können Sie bis ${until} kündigen. Sonst müssen Sie nichts tun.`,
    cancelAnyTime: "Möchten Sie das nicht, können Sie jederzeit kündigen. Sonst müssen Sie nichts tun.",
    nothingToDo: "Sie müssen nichts tun.",
    price: "Preis je Stück",
    firstCharge: "Erste Zahlung zum neuen Preis",
    amount: "Betrag dieser Zahlung",
    button: "Abo kündigen",
  },
  shipped: {
    subject: (number) =>
      number === null ? "Ihre Bestellung ist unterwegs" : `Ihre Bestellung ${number} ist unterwegs`,
    first: (product, date) => `Ihre Lieferung ist unterwegs und soll am ${date} ankommen: ${product}.`,
    firstUndated: (product) => `Ihre Lieferung ist unterwegs: ${product}.`,
    button: "Sendung verfolgen",
  },
};
