import type { Hono } from "hono";
import { type DomainError, notFound } from "../../../../base/errors.ts";
import { statusOf } from "../../../../kit/http/errors.ts";
import { entryOf, isRefusal } from "../../../pages/ask.ts";
import { readFields } from "../../../pages/fields.ts";
import { type C, type ConsoleEnv, type StaffVisit, visitOf } from "../console-env.ts";
import type { AskAsStaff } from "../visit.ts";
import { type ChangeSubject, type Chosen, callOf } from "./change.ts";
import { formPage, previewPage, readForPage } from "./pages.ts";

/** Serves the changes of some records: form, preview, and what does it. The page of the record says then that it is done. */
export function serveChanges(pages: Hono<ConsoleEnv>, ask: AskAsStaff, subject: ChangeSubject): void {
  const path = `/console/:shop/${subject.folder}/:id/:change`;
  pages.get(path, async (c) => {
    const visit = visitOf(c);
    if (!visit.session) return c.redirect(`${visit.base}/login`, 303);
    const chosen = chosenBy(c, subject, new URL(c.req.url).searchParams, "linked");
    const { linked = [] } = chosen.change;
    if (linked.some((name) => chosen.fields[name] === undefined)) throw notFound("Page");
    return show(c, visit as StaffVisit, ask, chosen);
  });
  pages.post(path, async (c) => {
    const visit = visitOf(c);
    if (!visit.session) return c.redirect(`${visit.base}/login`, 303);
    const chosen = chosenBy(c, subject, c.get("sent"), "names");
    return c.get("sent").get("confirm") === "1"
      ? confirm(c, visit as StaffVisit, ask, chosen)
      : preview(c, visit as StaffVisit, ask, chosen);
  });
}

/** The change that a request names, with those of its fields that the request has. Throws NOT_FOUND. */
function chosenBy(c: C, subject: ChangeSubject, sent: URLSearchParams, which: "linked" | "names"): Chosen {
  const [id = "", name = ""] = [c.req.param("id"), c.req.param("change")];
  const change = Object.hasOwn(subject.changes, name) ? subject.changes[name] : undefined;
  if (!change) throw notFound("Page");
  return { subject, name, change, id, fields: readFields(sent, change[which] ?? []) };
}

async function show(c: C, visit: StaffVisit, ask: AskAsStaff, chosen: Chosen): Promise<Response> {
  const isOpen = chosen.change.form && ask.reaches(visit, chosen.change.operation);
  if (!isOpen) return preview(c, visit, ask, chosen);
  return c.html(await formPage(visit, ask, { ...chosen, read: await readForPage(visit, ask, chosen) }));
}

/** Shows what a change would do. Of one that was confirmed as something else, `seen` is the newest entry that its preview has shown. */
async function preview(
  c: C,
  visit: StaffVisit,
  ask: AskAsStaff,
  { seen, ...chosen }: Chosen & { seen?: string },
): Promise<Response> {
  const dry = { ...callOf(chosen), query: { dry_run: "true" }, mayBeRefused: true } as const;
  const read = await readForPage(visit, ask, chosen, { dry });
  if (isRefusal(read.dry)) return refuse(c, visit, ask, { ...chosen, refusal: read.dry, read, seen });
  return c.html(await previewPage(visit, ask, { ...chosen, read, seen }), seen === undefined ? 200 : 409);
}

/** Does it as was shown, once however often the form is sent; else shows what it would do now. */
async function confirm(c: C, visit: StaffVisit, ask: AskAsStaff, chosen: Chosen): Promise<Response> {
  const sent = c.get("sent");
  const [shown, key, seen] = ["preview", "key", "seen"].map((name) => sent.get(name) ?? "");
  const { answer } = await ask(visit, {
    answer: {
      ...callOf(chosen),
      ...(shown ? { preview: shown } : {}),
      ...(key ? { key } : {}),
      mayBeRefused: true,
    },
  });
  if (isRefusal(answer)) {
    if (answer.code === "PREVIEW_CHANGED") return preview(c, visit, ask, { ...chosen, seen: seen ?? "" });
    const read = await readForPage(visit, ask, chosen);
    return refuse(c, visit, ask, { ...chosen, refusal: answer, read, seen });
  }
  const entry = entryOf(answer as object);
  const query = new URLSearchParams({ done: chosen.name, ...(entry ? { entry } : {}) });
  return c.redirect(`${visit.base}/${chosen.subject.folder}/${chosen.id}?${query}`, 303);
}

/** Tells a refusal beside the form. Throws one that is about no form: another record, another role, a fault of ours. */
async function refuse(
  c: C,
  visit: StaffVisit,
  ask: AskAsStaff,
  { refusal, ...page }: Parameters<typeof formPage>[2] & { refusal: DomainError },
): Promise<Response> {
  if (["NOT_FOUND", "INTERNAL"].includes(refusal.code)) throw refusal;
  if (!ask.reaches(visit, page.change.operation)) throw refusal;
  return c.html(await formPage(visit, ask, { ...page, refusal }), statusOf[refusal.code]);
}
