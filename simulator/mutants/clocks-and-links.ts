import { edit, type Mutant } from "./edits.ts";

const clock = "src/runtime/jobs/advance-clock.ts";
const links = "src/domain/sessions/links.ts";
const login = "src/domain/sessions/login.ts";
const sessions = "src/domain/sessions/sessions.ts";
const over = "a link opens nothing once it is over";

function linkBug(mutant: Mutant): Mutant {
  return { ...mutant, beside: "links" };
}

/** Bugs in how test clocks move and how customers sign in. */
export const clockAndLinkMutants: Mutant[] = [
  {
    name: "a clock passes days over",
    what: "a test clock goes to its target at once",
    edits: [edit(clock, "return [stop, clock_target].sort()[0]", "return [stop, clock_target].sort()[1]")],
    beside: "clock",
    rule: "a test clock passes nothing by",
  },
  {
    name: "a clock waits for nobody",
    what: "a test clock goes on while a charge is in somebody's hands, and its order comes days late",
    edits: [edit(clock, '      if (isHeld) return "held";\n', "")],
    beside: "clock",
    rule: "a test clock's work is done on its day",
  },
  {
    name: "a clock is not looked for",
    what: "a test clock whose message was lost stands still for ever",
    edits: [edit("src/runtime/jobs/tick.ts", "  clocks: [clockSweep],\n", "")],
    beside: "clock",
    rule: "a test clock comes to its target",
  },
  {
    name: "a clock goes back",
    what: "whoever held a test clock's lease too long sets it back, and dates what it does back",
    edits: [edit(clock, "db: underLease(from.db, leased)", "db: underLease(from.db, leased) && from.db")],
    beside: "clock",
    rule: "a test clock goes forward",
  },
  linkBug({
    name: "a link opens twice",
    what: "two people sign in by one link",
    edits: [edit(links, "isNull(portalLinks.session_id), ", "")],
    rule: "a link opens one session",
  }),
  linkBug({
    name: "a link opens for ever",
    what: "somebody finds an old e-mail",
    edits: [edit(links, "gt(portalLinks.expires_at, realNow), ", "")],
    rule: over,
  }),
  linkBug({
    name: "a sign-in is told twice",
    what: "the queue delivers the request for a link twice",
    edits: [
      edit(
        login,
        "COALESCE(SUM(json_extract(metadata, '$.request_id') = ?), 0) > 0",
        "COALESCE(SUM(json_extract(metadata, '$.request_id') = ?), 0) > 9",
      ),
    ],
    rule: "a request for a link is told once",
  }),
  linkBug({
    name: "links without a limit",
    what: "whoever asks again and again fills a customer's mailbox",
    edits: [edit(login, "const perHour = 5;", "const perHour = 500;")],
    rule: "links an hour are bounded",
  }),
  linkBug({
    name: "links outlive the end of all sessions",
    what: "a customer who was signed out everywhere is signed in by a link from before",
    edits: [edit(sessions, "[portalLinks, portalSessions].map((table)", "[portalSessions].map((table)")],
    rule: over,
  }),
  linkBug({
    name: "a sign-out ends nothing",
    what: "whoever has the cookie comes back after it",
    edits: [edit(sessions, "eq(portalSessions.id, id));", "eq(portalSessions.id, id.slice(1)));")],
    rule: "a session that was ended opens nothing",
  }),
];
