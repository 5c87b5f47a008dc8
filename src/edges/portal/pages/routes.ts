import type { Context, Hono } from "hono";
import { DomainError, notFound } from "../../../base/errors.ts";
import type { AnyOperation } from "../../../kit/http/document/operation.ts";
import { statusOf } from "../../../kit/http/errors.ts";
import { atPublicAddress } from "../../../kit/http/public-address.ts";
import { isRefusal } from "../../pages/ask.ts";
import type { Html } from "../../pages/document.ts";
import { readFields } from "../../pages/fields.ts";
import { type ActionName, actions, hasForm, isActionName } from "./actions.ts";
import { type ChosenAction, confirm, noticeAfter } from "./confirm.ts";
import { serveDeclaring } from "./declaring/routes.ts";
import { serveDemoStore } from "./demo/demo-routes.ts";
import { findDemoStore } from "./demo/demo-store.ts";
import { landingPage } from "./demo/landing.ts";
import { errorPage, refusalPage } from "./errors.ts";
import { faultsOf } from "./faults.ts";
import { formPage } from "./forms.ts";
import { pageHeaders } from "./headers.ts";
import { homePage } from "./home.ts";
import { sentenceOf } from "./layout.ts";
import { leavingPage } from "./leaving/leaving-form.ts";
import { offersPage, takeOffer } from "./leaving/leaving-offers.ts";
import { keepNotice, noticeFor } from "./notice.ts";
import { orderPage } from "./order.ts";
import { ordersPage } from "./orders.ts";
import { type PageEnv, plain, type Visit, visitOf } from "./page-env.ts";
import { enteredPage, newMethodPage } from "./payment/new-method.ts";
import { lookAtPayment, payPage } from "./payment/pay.ts";
import { previewPage } from "./preview.ts";
import { inPageOrder } from "./profile/address-order.ts";
import {
  addAddress,
  explainFaults,
  keyOf,
  profileForms,
  profilePage,
  saveProfile,
} from "./profile/profile.ts";
import { correctAddress, savedAddressFields, savedAddressPage } from "./profile/saved-address.ts";
import { ownForm } from "./sign-in/own-form.ts";
import { keepReturnPath, takeTyped } from "./sign-in/return-path.ts";
import { serveSignIn, signInForm } from "./sign-in/sign-in-routes.ts";
import { subscriptionPage } from "./subscription.ts";
import { themeOf } from "./theme.ts";
import { type AskOperations, makeAsk, openVisit, type SignedIn } from "./visit.ts";

type C = Context<PageEnv>;
type Shown = Html | Response;

/** Serves the pages. They are not in the API's document; what they do, they do through its operations. */
export function servePages(pages: Hono<PageEnv>, operations: AnyOperation[]): Hono<PageEnv> {
  const ask = makeAsk(operations);

  pages.use(pageHeaders);
  pages.use("/", (c, next) => atPublicAddress(plain(c), next));
  pages.get("/", async (c) => {
    const address = c.get("env").PUBLIC_URL;
    return c.html(await landingPage({ address, demo: await findDemoStore(c) }));
  });
  serveDemoStore(pages);
  pages.use("/portal/:shop/*", async (c, next) => {
    const visit = await openVisit(c);
    if (visit instanceof Response) return visit;
    c.set("visit", visit);
    return next();
  });
  pages.on("POST", "/portal/*", ownForm);

  pages.get("/portal/:shop", async (c) => {
    const visit = visitOf(c);
    return c.html(await (visit.session ? homePage(visit as SignedIn, ask) : signInForm(c)));
  });
  pages.get("/portal/:shop/theme.css", (c) =>
    c.body(themeOf(visitOf(c).settings), 200, {
      "Content-Type": "text/css; charset=utf-8",
      "Cache-Control": "public, max-age=300",
    }),
  );
  serveSignIn(pages);
  serveDeclaring(pages);

  const signedIn = (path: string, page: (visit: SignedIn, c: C) => Shown | Promise<Shown>) =>
    pages.get(path, (c) => requireSession(c, (visit) => page(visit, c)));
  const form = (path: string, act: (visit: SignedIn, c: C) => Shown | Promise<Shown>) =>
    pages.post(path, (c) => requireSession(c, (visit) => act(visit, c)));

  const one = "/portal/:shop/subscriptions/:id";
  signedIn(one, (visit, c) => {
    const id = c.req.param("id") ?? "";
    return subscriptionPage(visit, ask, { id, notice: noticeFor(c, id) });
  });
  signedIn(`${one}/:action`, async (visit, c) => {
    const named = requireAction(c, visit);
    const { linked = [] } = actions[named.name];
    const typed = await takeTyped(visit);
    const linkedFields = readFields(new URL(c.req.url).searchParams, linked);
    const change = { ...named, fields: { ...typed?.fields, ...linkedFields } };
    if (linked.includes("line") && change.fields.line === undefined) throw notFound("Page");
    const alert = typed ? { alert: visit.texts.signedOut.back } : {};
    if (hasForm(change.name)) return formPage(visit, ask, { ...change, ...alert });
    return previewPage(visit, ask, change).catch(async (error) =>
      c.html(await errorOn(visit, change.name, error), statusOf[refusalOf(error).code]),
    );
  });
  form(`${one}/undo`, (visit, c) => undo(visit, ask, { c, id: c.req.param("id") ?? "" }));
  form(`${one}/:action`, async (visit, c) => {
    const named = requireAction(c, visit);
    const change = { ...named, fields: readFields(c.get("sent"), actions[named.name].fields) };
    const isConfirmed = c.get("sent").get("confirm") === "1";
    try {
      if (!isConfirmed) return await (change.name === "cancel" ? seeOffers : previewPage)(visit, ask, change);
      const preview = c.get("sent").get("preview") ?? "";
      const confirmed = await confirm(visit, ask, { ...change, preview, ...keyOf(c.get("sent")) });
      if (!confirmed) return c.html(await showAnew(visit, ask, change), 409);
      if (!confirmed.isRepeated) keepNotice(c, change.id, noticeAfter(change.name, confirmed));
      return c.redirect(`${visit.base}/subscriptions/${encodeURIComponent(change.id)}`, 303);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!hasForm(change.name))
        return c.html(await errorOn(visit, change.name, error), statusOf[refusal.code]);
      const faults = faultsOf(visit, refusal, inPageOrder(actions[change.name].fields, change.fields));
      return c.html(await formPage(visit, ask, { ...change, faults }), statusOf[refusal.code]);
    }
  });

  form(`${one}/cancel/:caseId`, (visit, c) =>
    takeOffer(visit, ask, { c, id: c.req.param("id") ?? "", caseId: c.req.param("caseId") ?? "" }),
  );

  signedIn(`${one}/payment-method/new`, (visit, c) => newMethodPage(visit, ask, c.req.param("id") ?? ""));
  signedIn(`${one}/payment-method/entered`, (visit, c) => enteredPage(visit, ask, c.req.param("id") ?? ""));
  signedIn("/portal/:shop/pay/:attempt", (visit, c) => payPage(visit, ask, c.req.param("attempt") ?? ""));
  form("/portal/:shop/pay/:attempt", (visit, c) => lookAtPayment(visit, ask, c.req.param("attempt") ?? ""));

  signedIn("/portal/:shop/orders", (visit) => ordersPage(visit, ask));
  signedIn("/portal/:shop/orders/:id", (visit, c) => orderPage(visit, ask, c.req.param("id") ?? ""));
  const profile = "/portal/:shop/profile";
  signedIn(profile, async (visit, c) => {
    const typed = await takeTyped(visit);
    const form = typed?.form === "/profile" ? ("details" as const) : ("address" as const);
    const sent = typed && { form, fields: typed.fields, alert: visit.texts.signedOut.back };
    return profilePage(visit, ask, { isSaved: c.req.query("saved") !== undefined, sent });
  });
  const saving = (
    path: string,
    name: keyof typeof profileForms,
    save: (visit: SignedIn, c: C) => Promise<unknown>,
  ) =>
    form(path, async (visit, c) => {
      try {
        await save(visit, c);
        return c.redirect(`${visit.base}/profile?saved`, 303);
      } catch (error) {
        const refusal = refusalOf(error);
        const fields = readFields(c.get("sent"), profileForms[name]);
        const faults = faultsOf(visit, refusal, inPageOrder(profileForms[name], fields));
        const sent = { form: name, fields, faults: explainFaults(visit, name, faults) };
        return c.html(await profilePage(visit, ask, { sent }), statusOf[refusal.code]);
      }
    });
  saving(profile, "details", (visit, c) => saveProfile(visit, ask, c.get("sent")));
  saving(`${profile}/addresses`, "address", (visit, c) => addAddress(visit, ask, c.get("sent")));
  const address = `${profile}/addresses/:id`;
  signedIn(address, async (visit, c) => {
    const typed = await takeTyped(visit);
    const back = typed ? { sent: { fields: typed.fields, alert: visit.texts.signedOut.back } } : {};
    return savedAddressPage(visit, ask, { id: c.req.param("id") ?? "", ...back });
  });
  form(address, async (visit, c) => {
    const id = c.req.param("id") ?? "";
    try {
      await correctAddress(visit, ask, { id, sent: c.get("sent") });
      return c.redirect(`${visit.base}/profile?saved`, 303);
    } catch (error) {
      const refusal = refusalOf(error);
      const fields = readFields(c.get("sent"), savedAddressFields);
      const faults = faultsOf(visit, refusal, inPageOrder(savedAddressFields, fields));
      return c.html(
        await savedAddressPage(visit, ask, { id, sent: { fields, faults } }),
        statusOf[refusal.code],
      );
    }
  });
  saving(`${address}/remove`, "address", (visit, c) =>
    ask(visit, { id: "deleteOwnAddress", path: { id: c.req.param("id") ?? "" } }),
  );

  pages.notFound((c) => errorPage(c, notFound("Page")));
  pages.onError((error, c) => errorPage(c, error));
  return pages;
}

/** A page for customers who are signed in; all others are led to the form that signs them in, and from there to this page. */
async function requireSession(c: C, page: (visit: SignedIn) => Shown | Promise<Shown>): Promise<Response> {
  const visit = visitOf(c);
  if (!visit.session) {
    await keepReturnPath(c);
    return c.redirect(visit.base, 303);
  }
  const shown = await page(visit as SignedIn);
  return shown instanceof Response ? shown : c.html(shown);
}

/** The subscription and the action that a path names. Throws NOT_FOUND, or FORBIDDEN where the shop does not offer it. */
function requireAction(c: C, { settings }: Visit): { id: string; name: ActionName } {
  const [id = "", name = ""] = [c.req.param("id"), c.req.param("action")];
  if (!isActionName(name)) throw notFound("Page");
  const { permission } = actions[name];
  if (permission && !settings[permission])
    throw new DomainError("FORBIDDEN", `The shop does not let customers do this (${permission})`);
  return { id, name };
}

/** Undoes a change, and nothing that was done since: where undoing it would do something else than was shown, the page says so. */
async function undo(visit: SignedIn, ask: AskOperations, { c, id }: { c: C; id: string }): Promise<Response> {
  const { entry_id = "", preview, done = "" } = readFields(c.get("sent"), ["entry_id", "preview", "done"]);
  const shown = preview === undefined ? {} : { preview };
  const call = {
    id: "undoChange",
    path: { id },
    body: { entry_id },
    ...keyOf(c.get("sent")),
    ...shown,
  } as const;
  const [refused] = await ask(visit, { ...call, mayBeRefused: true });
  const undone = isActionName(done) ? { undone: done } : {};
  if (!isRefusal(refused)) {
    keepNotice(c, id, { done: "undo", ...undone });
    return c.redirect(`${visit.base}/subscriptions/${encodeURIComponent(id)}`, 303);
  }
  if (refused.code !== "PREVIEW_CHANGED" || !isActionName(done)) {
    const refusal = refusalOf(refused);
    return c.html(refusalPage(visit, sentenceOf(visit, refusal)), statusOf[refusal.code]);
  }
  const notice = { done, entry: entry_id };
  return c.html(await subscriptionPage(visit, ask, { id, notice, alert: visit.texts.changedSince }), 409);
}

/** The offers for the reason whose button was pressed. */
function seeOffers(visit: SignedIn, ask: AskOperations, { id, fields }: ChosenAction): Promise<Html> {
  const { cancellation_reason_id: _, ...remark } = fields;
  const pressed = readFields(visit.c.get("sent"), ["offers_for"]).offers_for;
  const reason = pressed === undefined ? {} : { cancellation_reason_id: pressed };
  return offersPage(visit, ask, { id, fields: { ...reason, ...remark } });
}

/** The page before a change again, which would do something else by now than it has shown. */
function showAnew(visit: SignedIn, ask: AskOperations, change: ChosenAction): Promise<Html> {
  return change.name === "cancel"
    ? leavingPage(visit, ask, { ...change, alert: visit.texts.changedSince })
    : previewPage(visit, ask, { ...change, isOther: true });
}

/** A refusal that a form can show. Throws everything else. */
function refusalOf(error: unknown): DomainError {
  if (error instanceof DomainError && error.code !== "NOT_FOUND" && error.code !== "INTERNAL") return error;
  throw error;
}

/** A page about an action without a form that was refused. */
function errorOn(visit: SignedIn, name: ActionName, error: unknown): Html {
  const refusal = refusalOf(error);
  const { code } = refusal;
  const { sentOften, notSent } = visit.texts.cards;
  const ofLink = { RATE_LIMITED: sentOften, INVALID_STATE: notSent } as Partial<Record<typeof code, string>>;
  const own = name === "payment-link" ? ofLink[code] : undefined;
  return refusalPage(visit, own ?? sentenceOf(visit, refusal));
}
