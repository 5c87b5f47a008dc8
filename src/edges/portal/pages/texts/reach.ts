import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts about how far a change reaches: one delivery or all that follow, one subscription or all. */
const en = {
  deliveries: "Which deliveries",
  one: "Only this delivery",
  oneInSlot: "Only this delivery, in the same delivery window",
  following: "This and all following",
  movesOne: "Only this delivery moves. All others keep their days.",
  movesFollowing: "Later deliveries follow from the new date.",
  deliveryAfter: "The delivery after it",
  allSubscriptions: "Use it for all my subscriptions",
  usedFor: "Used for",
};

type ReachTexts = typeof en;

const de: ReachTexts = {
  deliveries: "Welche Lieferungen",
  one: "Nur diese Lieferung",
  oneInSlot: "Nur diese Lieferung, im selben Lieferfenster",
  following: "Diese und alle folgenden",
  movesOne: "Nur diese Lieferung wird verschoben. Alle anderen behalten ihre Tage.",
  movesFollowing: "Die Lieferungen danach zählen vom neuen Termin an.",
  deliveryAfter: "Die Lieferung danach",
  allSubscriptions: "Für alle meine Abos verwenden",
  usedFor: "Gilt für",
};

const fr: ReachTexts = {
  deliveries: "Quelles livraisons",
  one: "Seulement cette livraison",
  oneInSlot: "Seulement cette livraison, dans le même créneau",
  following: "Celle-ci et toutes les suivantes",
  movesOne: "Seule cette livraison est déplacée. Toutes les autres gardent leurs jours.",
  movesFollowing: "Les livraisons suivantes sont comptées à partir de la nouvelle date.",
  deliveryAfter: "La livraison suivante",
  allSubscriptions: "L’utiliser pour tous mes abonnements",
  usedFor: "Utilisé pour",
};

const es: ReachTexts = {
  deliveries: "Qué entregas",
  one: "Solo esta entrega",
  oneInSlot: "Solo esta entrega, en la misma franja",
  following: "Esta y todas las siguientes",
  movesOne: "Solo se mueve esta entrega. Todas las demás conservan sus días.",
  movesFollowing: "Las entregas posteriores se cuentan desde la nueva fecha.",
  deliveryAfter: "La entrega posterior",
  allSubscriptions: "Usarla para todas mis suscripciones",
  usedFor: "Se usa para",
};

export const reachTexts: Record<PortalLocale, ReachTexts> = { en, de, fr, es };
