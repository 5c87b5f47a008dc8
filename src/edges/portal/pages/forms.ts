import { html, raw } from "hono/html";
import { longestPauseDays } from "../../../base/accounts/portal-settings.ts";
import { day } from "../../../base/language/format.ts";
import { cardOf } from "../../../base/language/names.ts";
import { addDays } from "../../../base/lib/time/calendar.ts";
import { farthestDelivery } from "../../../domain/subscriptions/bounds/customer-reach.ts";
import { chargeableFrom } from "../../../domain/subscriptions/bounds/no-charge-before.ts";
import { type Html, renderAlert } from "../../pages/document.ts";
import type { Fields } from "../../pages/fields.ts";
import { addressBlock } from "../../pages/lines.ts";
import { type ActionName, actions, addressFields, isOpen, isTooLate } from "./actions.ts";
import { besideSummary, subjectOf } from "./beside.ts";
import { dryRunOf } from "./confirm.ts";
import { addInputs, quantityInputs, swapInputs } from "./contents/content-forms.ts";
import { cutoffText } from "./dates/cutoff.ts";
import { type ListedDelivery, mostUpcoming } from "./dates/next-dates.ts";
import { todayOf } from "./dates/today.ts";
import { type Faults, faultsAlert, marksOf, titleWith } from "./faults.ts";
import { frequencyChoices, frequencyValue } from "./frequency-choices.ts";
import { addressInputs, type Choice, dateInput, radios, reasonInputs } from "./inputs.ts";
import { layout } from "./layout.ts";
import { leavingPage } from "./leaving/leaving-form.ts";
import { expiryAlert } from "./payment/card-expiry.ts";
import { renderWays, waysOf } from "./payment/payment-ways.ts";
import { stillDueNote } from "./payment/payment-words.ts";
import type { ShownSubscription } from "./summary.ts";
import type { AskOperations, SignedIn } from "./visit.ts";

/** `alert`: a sentence about what was tried before. */
type Form = { id: string; name: ActionName; fields: Fields; faults?: Faults; alert?: string };
type Parts = { visit: SignedIn; ask: AskOperations; form: Form };

/** The page with an action's form. It reads the subscription and what the form offers in one trip. */
export async function formPage(visit: SignedIn, ask: AskOperations, form: Form): Promise<Html> {
  const { texts, base } = visit;
  const { name, ...sent } = form;
  if (name === "cancel") return leavingPage(visit, ask, sent);
  const { id, faults, alert } = sent;
  const [subscription, inputs, beside] = await inputsOf[name]({ visit, ask, form });
  const path = `${base}/subscriptions/${id}`;
  const cutoff = actions[name].changesDelivery ? cutoffText(visit, subscription) : undefined;
  const head = html`<p class="back"><a href="${path}">← ${texts.back}</a></p>
    <h1>${texts.actions[name]}</h1>
    ${subjectOf(visit, subscription)}`;
  const isElsewhere = inputs === undefined && beside !== undefined;
  const body = isTooLate(name, subscription)
    ? html`<section class="card"><p>${cutoff}</p><p class="buttons"><a class="button" href="${path}">${texts.back}</a></p></section>`
    : html`${
        isElsewhere
          ? ""
          : html`<p>${texts.notes[name]}${cutoff === undefined ? "" : ` ${cutoff}`}</p>
    ${faultsAlert(visit, faults)}${renderAlert(alert)}
    <form class="card" method="post" action="${path}/${name}">${inputs ?? html`<p class="empty">${texts.nothingToChoose[name]}</p>`}
      <p class="buttons">${inputs ? html`<button>${texts.continue}</button>` : ""}<a class="button quiet" href="${path}">${texts.keep}</a></p>
    </form>`
      }${beside ?? ""}`;
  const page = html`${head}${body}`;
  const content = name === "add" || name === "swap" ? page : besideSummary(visit, subscription, page);
  return layout(visit, { title: titleWith(visit, texts.actions[name], faults), content });
}

/** A form's inputs; none where there is nothing to choose. Other ways to the same end may stand beside the form. */
type Inputs = (parts: Parts) => Promise<[ShownSubscription, Html | undefined, beside?: Html]>;

function one(id: string) {
  return { id: "getSubscription", path: { id } } as const;
}

const nothingToFillIn: Inputs = async ({ visit, ask, form: { id } }) => {
  const [{ data }] = await ask(visit, one(id));
  return [data, html``];
};

/** The days from which the customer may choose the next delivery. */
function daysFor(visit: SignedIn, subscription: ShownSubscription) {
  const today = todayOf(visit);
  return {
    earliest: chargeableFrom(subscription, today),
    latest: farthestDelivery(subscription, today, longestPauseDays(visit.settings)),
  };
}

const startInputs: Inputs = async ({ visit, ask, form: { id, ...filled } }) => {
  const [{ data }] = await ask(visit, one(id));
  const label = visit.texts.firstDelivery;
  return [data, dateInput({ ...filled, name: "next_delivery_date", label, ...daysFor(visit, data) })];
};

const inputsOf: Record<Exclude<ActionName, "cancel">, Inputs> = {
  "retry-payment": nothingToFillIn,
  "ship-now": nothingToFillIn,
  unskip: nothingToFillIn,
  "payment-link": nothingToFillIn,
  remove: nothingToFillIn,
  quantity: quantityInputs,
  swap: swapInputs,
  add: addInputs,
  resume: startInputs,
  reactivate: startInputs,
  skip: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, reasons, upcoming, { data: episodes }] = await ask(
      visit,
      one(id),
      { id: "listSkipReasons" },
      { id: "listUpcomingDeliveries", path: { id }, query: { count: String(skippable.length + 1) } },
      { id: "listDunningEpisodes", path: { id }, query: { limit: "1" } },
    );
    const { texts } = visit;
    const choices = skipChoices(visit, data, upcoming.data);
    const due = stillDueNote(visit, { subscription: data, episode: episodes[0] });
    return [
      data,
      html`${due === "" ? "" : html`<p>${due}</p>`}${radios({ name: "count", legend: texts.skipWhat, choices, fields: { count: "1", ...fields }, faults, isRequired: true })}
      ${reasonInputs(visit, { name: "skip_reason_id", label: texts.reason, reasons, fields, faults, isRequired: true })}`,
    ];
  },
  schedule: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, { data: slots }] = await ask(visit, one(id), {
      id: "listDeliverySlots",
      query: { limit: "100" },
    });
    const { texts } = visit;
    const { one: alone, oneInSlot, following } = texts.reach;
    const scopes: Choice[] = [
      ["this", data.delivery_slot_id === null ? alone : oneInSlot],
      ["following", following],
    ];
    const date = fields.next_delivery_date ?? data.next_delivery_date ?? undefined;
    const choices = slots
      .filter(({ is_active }) => is_active)
      .map((slot): Choice => [slot.id, `${slot.label} ${slot.start_time}–${slot.end_time}`]);
    const filled = {
      scope: "following",
      ...(data.delivery_slot_id === null ? {} : { delivery_slot_id: data.delivery_slot_id }),
      ...fields,
      ...(date === undefined ? {} : { next_delivery_date: date }),
    };
    return [
      data,
      html`${dateInput({ name: "next_delivery_date", label: texts.newDate, fields: filled, faults, isRequired: true, ...daysFor(visit, data) })}
      ${radios({ name: "scope", legend: texts.reach.deliveries, choices: scopes, fields: filled, faults })}
      ${data.delivery_slot_id === null ? "" : radios({ name: "delivery_slot_id", legend: texts.slot, choices, fields: filled, faults })}`,
    ];
  },
  frequency: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, { data: shop }] = await ask(visit, one(id), { id: "getOwnShop" });
    const { texts } = visit;
    const choices = frequencyChoices(visit, data, shop);
    if (choices.length === 1) return [data, undefined];
    return [
      data,
      radios({
        name: "frequency",
        legend: texts.frequency,
        choices,
        fields: { frequency: frequencyValue(data), ...fields },
        faults,
        isRequired: true,
      }),
    ];
  },
  address: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, { data: saved }] = await ask(visit, one(id), {
      id: "listOwnAddresses",
      query: { limit: "100" },
    });
    const { texts } = visit;
    const choices = [
      ...saved.map((address): Choice => [address.id, addressBlock(address, visit.locale)]),
      ["other", texts.otherAddress] as Choice,
    ];
    const now = (data.delivery_address ?? {}) as Record<string, string | null>;
    const shown = Object.keys(fields).length > 0 ? fields : now;
    const typed = Object.fromEntries(addressFields.map((name) => [name, shown[name] ?? ""]));
    const filled = { delivery_address_id: "other", ...fields };
    return [
      data,
      html`${saved.length > 0 ? radios({ name: "delivery_address_id", legend: texts.savedAddresses, choices, fields: filled, faults }) : ""}
      <fieldset class="other"><legend>${saved.length > 0 ? texts.otherAddress : texts.address}</legend>${addressInputs(visit, { values: typed, faults })}</fieldset>`,
    ];
  },
  instructions: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }] = await ask(visit, one(id));
    const text = fields.delivery_instructions ?? data.delivery_instructions ?? "";
    return [
      data,
      html`<label>${visit.texts.instructions}
        <textarea name="delivery_instructions" rows="4" maxlength="1000"${marksOf(faults, "delivery_instructions")}>${text}</textarea></label>`,
    ];
  },
  "payment-method": async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, { data: own }, { data: methods }, { data: coming }, link] = await ask(
      visit,
      one(id),
      { id: "listSubscriptions", query: { limit: "100" } },
      { id: "getSubscriptionPaymentMethods", path: { id } },
      { id: "listUpcomingDeliveries", path: { id }, query: { count: String(mostUpcoming) } },
      dryRunOf({ id, name: "payment-link", fields: {} }),
    );
    const { texts, base } = visit;
    const { current, alternatives } = methods;
    const ways = renderWays(visit, `${base}/subscriptions/${id}`, waysOf(visit, { id, alternatives, link }));
    const expiry = expiryAlert(visit, { subscription: data, method: current, coming });
    const choices = alternatives.map((method): Choice => [method.id, nameOfMethod(visit, method)]);
    if (choices.length === 0) return [data, undefined, html`${expiry}${ways}`];
    return [
      data,
      html`${expiry}${radios({ name: "payment_method_id", legend: texts.payment, choices, fields, faults, isRequired: true })}
      ${forAllInput(visit, { own, fields, isFirst: faults === undefined })}`,
      ways,
    ];
  },
  pause: async ({ visit, ask, form: { id, fields, faults } }) => {
    const [{ data }, reasons] = await ask(visit, one(id), { id: "listPauseReasons" });
    const { texts, settings } = visit;
    const { max_pause_days: days } = settings;
    const label = days === null ? texts.untilDate : texts.untilDateRequired(days);
    const isRequired = days !== null;
    const today = todayOf(visit);
    const range = { earliest: addDays(today, 1), latest: addDays(today, longestPauseDays(settings)) };
    return [
      data,
      html`${dateInput({ name: "pause_until", label, fields, faults, isRequired, ...range })}
      ${reasonInputs(visit, { name: "pause_reason_id", label: texts.reasonOptional, reasons, fields, faults })}`,
    ];
  },
};

type Reach = { own: Pick<ShownSubscription, "status" | "is_in_dunning">[]; fields: Fields; isFirst: boolean };

/** The box that has all subscriptions of the customer switched, where there are several. It is ticked beforehand where a payment is owed. */
function forAllInput({ texts }: SignedIn, { own, fields, isFirst }: Reach): Html {
  const living = own.filter(isOpen);
  if (living.length < 2) return html``;
  const isOwed = living.some(({ is_in_dunning, status }) => is_in_dunning || status === "PAYMENT_FAILED");
  const isTicked = isFirst ? isOwed : fields.update_all !== undefined;
  return html`<label class="choice"><input type="checkbox" name="update_all" value="1"${isTicked ? raw(" checked") : ""}> <span>${texts.reach.allSubscriptions}</span></label>`;
}

/**
 * The numbers of deliveries that can be skipped, each with the date of the next one then: deliveries that are coming, and after which one is known. A
 * payment that is owed or stands still says nothing of dates.
 */
function skipChoices(
  { texts, locale }: SignedIn,
  { is_in_dunning, billing_blocked_reason }: ShownSubscription,
  upcoming: ListedDelivery[],
): Choice[] {
  const isHeldUp = is_in_dunning || billing_blocked_reason !== null;
  return skippable.map((count): Choice => {
    const then = isHeldUp ? undefined : upcoming[count]?.delivery_date;
    return [String(count), texts.skipDeliveries(count, then === undefined ? null : day(locale, then))];
  });
}

const skippable = [1, 2, 3, 4];

type Method = {
  brand: string | null;
  last4: string | null;
  exp_month: number | null;
  exp_year: number | null;
};

function nameOfMethod({ texts }: SignedIn, { brand, last4, exp_month, exp_year }: Method): string {
  const card = cardOf(brand, last4, texts);
  return exp_month === null || exp_year === null
    ? card
    : `${card}, ${texts.expires} ${String(exp_month).padStart(2, "0")}/${exp_year}`;
}
