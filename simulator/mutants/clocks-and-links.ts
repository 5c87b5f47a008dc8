import { edit, type Mutant } from "./edits.ts";

const runs = "test/settings/test-clock-runs.test.ts";
const clock = "src/runtime/jobs/advance-clock.ts";
const signIn = "test/portal/sign-in.test.ts";
const links = "src/domain/sessions/links.ts";

/** Bugs in how test clocks move and how customers sign in. Nothing that the simulator lets happen reaches them. */
export const clockAndLinkMutants: Mutant[] = [
  {
    name: "a clock passes days over",
    what: "a test clock goes to its target at once",
    edits: [edit(clock, "return [stop, clock_target].sort()[0]", "return [stop, clock_target].sort()[1]")],
    caughtBy: { file: runs, test: "resumes, retries, reminders and cycles on the way, each on its day" },
  },
  {
    name: "a clock leaves work behind",
    what: "an invocation that may do no more lets the test clock go on",
    edits: [edit(clock, "if (isSpent(ctx)) return false;", "if (isSpent(ctx)) return true;")],
    caughtBy: { file: runs, test: "more work on one day than one invocation may do is done in several" },
  },
  {
    name: "a link opens twice",
    what: "two people sign in by one link",
    edits: [edit(links, "isNull(portalLinks.session_id), ", "")],
    caughtBy: { file: signIn, test: "of two clicks at once one wins" },
  },
  {
    name: "a link opens for ever",
    what: "somebody finds an old e-mail",
    edits: [edit(links, "gt(portalLinks.expires_at, realNow), ", "")],
    caughtBy: { file: signIn, test: "ends after 15 minutes, and nothing of it can be read in the database" },
  },
  {
    name: "a sign-in is told twice",
    what: "the queue delivers the request for a link twice",
    edits: [
      edit(
        "src/domain/sessions/login.ts",
        "COALESCE(SUM(json_extract(metadata, '$.request_id') = ?), 0) > 0",
        "COALESCE(SUM(json_extract(metadata, '$.request_id') = ?), 0) > 9",
      ),
    ],
    caughtBy: { file: signIn, test: "records a request once that the queue delivers twice" },
  },
];
