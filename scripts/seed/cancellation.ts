import { insertRows } from "../../src/base/db/bulk.ts";
import { demoId, demoPlanIds } from "../../src/base/demo.ts";
import type { Offer } from "../../src/domain/cancellation/offers.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

const [tooExpensive, noLongerNeeded, notRight] = [1, 2, 3].map((n) => demoId("cancellation_reason", n));

const all = {
  text: null,
  cancellation_reason_ids: [],
  min_cycles_billed: null,
  selling_plan_ids: [],
  store_variant_ids: [],
};

/** An offer of each kind, so that every reason but one has two. */
const offers: Omit<Offer, "id" | "position">[] = [
  {
    ...all,
    kind: "DISCOUNT",
    label: {
      en: "20% off the next three deliveries",
      de: "20 % auf die nächsten drei Lieferungen",
      fr: "20 % sur les trois prochaines livraisons",
      es: "20 % en las próximas tres entregas",
    },
    cancellation_reason_ids: [tooExpensive!],
    terms: { value: 20, value_type: "PERCENTAGE", cycles: 3, max_amount: 40 },
  },
  {
    ...all,
    kind: "SWAP",
    label: {
      en: "Try another recipe",
      de: "Eine andere Sorte probieren",
      fr: "Essayer une autre recette",
      es: "Probar otra receta",
    },
    cancellation_reason_ids: [notRight!],
    terms: {
      from_variant_id: "variant-1-large",
      to: {
        store_product_id: "product-2",
        store_variant_id: "variant-2-large",
        product_title: "Chicken and rice, 1.5 kg",
        variant_title: "Large",
      },
    },
  },
  {
    ...all,
    kind: "FREQUENCY",
    label: {
      en: "Have it less often",
      de: "Seltener liefern lassen",
      fr: "Recevoir moins souvent",
      es: "Recibirlo con menos frecuencia",
    },
    cancellation_reason_ids: [tooExpensive!, noLongerNeeded!],
    selling_plan_ids: [demoPlanIds.weekly, demoPlanIds.fortnightly, demoPlanIds.monthly],
    terms: {
      options: [
        { interval: "MONTH", interval_count: 1 },
        { interval: "MONTH", interval_count: 2 },
        { interval: "MONTH", interval_count: 3 },
      ],
    },
  },
  {
    ...all,
    kind: "PAUSE",
    label: {
      en: "Take a break of two months",
      de: "Zwei Monate Pause machen",
      fr: "Faire une pause de deux mois",
      es: "Hacer una pausa de dos meses",
    },
    text: {
      en: "It starts again by itself, and you can resume earlier.",
      de: "Danach geht es von selbst weiter. Sie können auch früher fortsetzen.",
      fr: "L’abonnement reprend tout seul, et vous pouvez le reprendre plus tôt.",
      es: "Se reanuda sola, y puedes reanudarla antes.",
    },
    terms: { max_days: 60 },
  },
  {
    ...all,
    kind: "SKIP",
    label: {
      en: "Skip the next delivery",
      de: "Die nächste Lieferung auslassen",
      fr: "Sauter la prochaine livraison",
      es: "Omitir la próxima entrega",
    },
    terms: { deliveries: 1 },
  },
] as Omit<Offer, "id" | "position">[];

/** The demo store's cancellation flow, so that its pages can be seen at once. */
export const cancellationPart: Part = (now) =>
  insertRows("cancellation_flows", [
    {
      account_seq: demoAccountSeq,
      version: 1,
      is_enabled: 1,
      offers: JSON.stringify(
        offers.map((offer, position) => ({
          ...offer,
          id: demoId("cancellation_offer", position + 1),
          position,
        })),
      ),
      cooldown_days: 180,
      max_accepted: 1,
      per: "customer",
      show_at_most: 2,
      created_at: now.toISOString(),
    },
  ]);
