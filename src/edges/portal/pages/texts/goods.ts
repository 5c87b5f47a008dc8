import type { PortalLocale } from "../../../../base/accounts/portal-settings.ts";

/** Texts of the pages on which customers change what is in a subscription. */
const en = {
  quantity: "Quantity",
  swap: "Swap",
  item: "Item",
  price: "Price",
  search: "Search the catalogue",
  find: "Search",
  found: (count: number) => (count === 1 ? "1 item" : `${count} items`),
  nothingFound: "Nothing was found. Try another word.",
  nothingToAdd: "There is nothing to add at the moment.",
  nothingToSwap: "There is nothing to swap this for at the moment.",
  everyTime: "Add to every delivery",
  once: "Add once",
  swapFor: "Swap for this",
  onceNote: "It comes with the next delivery that you pay for, and only with that one.",
  page: (nth: number, of: number) => `Page ${nth} of ${of}`,
  previous: "Previous page",
  next: "Next page",
};

type GoodsTexts = typeof en;

const de: GoodsTexts = {
  quantity: "Menge",
  swap: "Tauschen",
  item: "Artikel",
  price: "Preis",
  search: "Sortiment durchsuchen",
  find: "Suchen",
  found: (count) => (count === 1 ? "1 Artikel" : `${count} Artikel`),
  nothingFound: "Nichts gefunden. Versuchen Sie ein anderes Wort.",
  nothingToAdd: "Zurzeit gibt es nichts hinzuzufügen.",
  nothingToSwap: "Zurzeit gibt es nichts, wogegen Sie dies tauschen können.",
  everyTime: "Zu jeder Lieferung hinzufügen",
  once: "Einmal hinzufügen",
  swapFor: "Dagegen tauschen",
  onceNote: "Der Artikel kommt nur mit der nächsten Lieferung, die Sie bezahlen.",
  page: (nth, of) => `Seite ${nth} von ${of}`,
  previous: "Vorige Seite",
  next: "Nächste Seite",
};

const fr: GoodsTexts = {
  quantity: "Quantité",
  swap: "Échanger",
  item: "Article",
  price: "Prix",
  search: "Chercher dans le catalogue",
  find: "Chercher",
  found: (count) => (count === 1 ? "1 article" : `${count} articles`),
  nothingFound: "Aucun résultat. Essayez un autre mot.",
  nothingToAdd: "Il n’y a rien à ajouter pour le moment.",
  nothingToSwap: "Il n’y a rien contre quoi l’échanger pour le moment.",
  everyTime: "Ajouter à chaque livraison",
  once: "Ajouter une fois",
  swapFor: "Prendre celui-ci",
  onceNote: "Il arrive avec la prochaine livraison que vous payez, et seulement avec celle-là.",
  page: (nth, of) => `Page ${nth} sur ${of}`,
  previous: "Page précédente",
  next: "Page suivante",
};

const es: GoodsTexts = {
  quantity: "Cantidad",
  swap: "Cambiar",
  item: "Artículo",
  price: "Precio",
  search: "Buscar en el catálogo",
  find: "Buscar",
  found: (count) => (count === 1 ? "1 artículo" : `${count} artículos`),
  nothingFound: "No se ha encontrado nada. Prueba con otra palabra.",
  nothingToAdd: "Por ahora no hay nada que añadir.",
  nothingToSwap: "Por ahora no hay nada por lo que cambiarlo.",
  everyTime: "Añadir a cada entrega",
  once: "Añadir una vez",
  swapFor: "Cambiar por este",
  onceNote: "Llega con la próxima entrega que pagues, y solo con esa.",
  page: (nth, of) => `Página ${nth} de ${of}`,
  previous: "Página anterior",
  next: "Página siguiente",
};

export const goodsTexts: Record<PortalLocale, GoodsTexts> = { en, de, fr, es };
