import { forgetAccount } from "../../src/base/accounts/queries.ts";
import { raw, read } from "../../src/base/db/statement.ts";
import { minuteMs } from "../../src/base/lib/time/durations.ts";
import { endSessionsOf, findSession } from "../../src/domain/sessions/sessions.ts";
import { addEndpoint } from "../events/add-endpoints.ts";
import { readEndpoint } from "../events/endpoint-rows.ts";
import type { Answers } from "../events/endpoints.ts";
import { drain, runToEnd, spawn, start, tick } from "../kernel/invocations.ts";
import { passTime } from "../kernel/pass-time.ts";
import { call } from "../kernel/task.ts";
import { untilDone } from "../kernel/until-done.ts";
import { instantOf, type Part, type World } from "../kernel/world.ts";
import { checkRequests } from "./check-requests.ts";
import { postForm } from "./pages.ts";
import { type Known, type Link, newSignInRules, type Session } from "./rules.ts";

/**
 * Somebody asks the portal for links by addresses that the shop knows and does not know, which a mailer is sent; opens a link, once, twice
 * at once, again or late; comes back with the session, and ends it here or everywhere.
 */
export async function signIns(world: World): Promise<Part> {
  const { choices, database, account } = world;
  await switchOn(world);
  const [[profile]] = await read<[{ id: string }]>(database, [
    raw("SELECT id FROM profiles WHERE account_seq = ?", account.seq),
  ]);
  const profileId = profile!.id;
  const known: Known = { links: [], sessions: [] };
  const rules = newSignInRules(world, known);
  const mailer = await addEndpoint(world, {
    name: "mailer",
    nth: 9,
    input: { event_types: ["portal.*"], payload: "thin" },
    answers: mailerAnswers,
    isLost: false,
    reads: ({ object }) => rules.noteLink(object),
  });
  let left = 8 + choices.below(30);
  const isOn = async (): Promise<boolean> => (await readEndpoint(world, mailer.id))?.is_enabled === 1;

  const ask = (email: string): Promise<void> => {
    world.count("links asked for");
    return start(
      world,
      `ask for a link as ${email}`,
      async (task) => {
        const wasOn = await isOn();
        const page = await postForm(world, task, { form: "login", fields: { email } });
        // A mailer that is disabled meanwhile may be found so: the page then says that nobody sends links.
        if (wasOn && (await isOn()) && page.status === 200) rules.checkSent(email, page.text);
        await call(task, { kind: "answer", what: () => `answer ${page.status}`, perform: async () => {} });
      },
      () => {},
    );
  };

  const open = (link: Link): Promise<void> => {
    world.count("links opened");
    return start(
      world,
      "open a link",
      async (task) => {
        const before = rules.begin();
        const { status, cookie } = await postForm(world, task, {
          form: "enter",
          fields: { token: link.token },
        });
        if (status === 303) rules.noteOpened(link, cookie ?? "", before);
        await call(task, { kind: "answer", what: () => `answer ${status}`, perform: async () => {} });
      },
      () => {},
    );
  };

  const visit = (session: Session): Promise<void> =>
    spawn(
      world,
      "come back with a session",
      { type: "customer", name: null, profile_id: profileId },
      async (ctx) => {
        const before = rules.begin();
        const [accountId = "", secret = ""] = session.cookie.split("=")[1]!.split(".");
        const found = await findSession(ctx, { accountId, secret, now: ctx.realNow });
        rules.checkVisit(session, found !== undefined, before);
      },
    );

  const signOut = (session: Session): Promise<void> => {
    session.mayBeOver = true;
    return start(
      world,
      "sign out",
      async (task) => {
        const { status } = await postForm(world, task, { form: "sign-out", cookie: session.cookie });
        if (status === 303) rules.noteEnd([session]);
      },
      () => {},
    );
  };

  const signOutEverywhere = (): Promise<void> => {
    const end = rules.beginEndingAll();
    const work = untilDone(world, (ctx) => endSessionsOf(ctx, profileId));
    return spawn(
      world,
      "end all sessions",
      { type: "api", name: "Key" },
      async (ctx) => {
        await work(ctx);
        end.done();
      },
      end.over,
    );
  };

  /** Mostly one of the newest links, which can still be opened. */
  const pickOf = <T>(things: T[]): T => choices.pick(choices.chance(300) ? things : things.slice(-2));

  return {
    acts: [
      {
        name: "sign-in links",
        weight: (_, isBusy) => (left > 0 ? (isBusy ? 12 : 24) : 0),
        async act() {
          left--;
          const { links, sessions } = known;
          const kind = choices.weighted([
            ["ask", 10],
            ["ask several times", 2],
            ["open", links.length > 0 ? 14 : 0],
            ["open twice at once", links.length > 0 ? 5 : 0],
            ["visit", sessions.length > 0 ? 8 : 0],
            ["sign out", sessions.length > 0 ? 3 : 0],
            ["end all", 2],
            ["guess", 1],
          ] as const);
          if (kind === "ask" || (links.length === 0 && kind.startsWith("open")))
            return ask(choices.pick(addresses));
          if (kind === "ask several times") {
            for (let nth = 0; nth < 4; nth++) await ask(addresses[0]!);
            return;
          }
          if (kind === "guess") return open({ ...rules.unknownLink() });
          if (kind === "end all") return signOutEverywhere();
          if (kind === "open") return open(pickOf(links));
          if (kind === "open twice at once") {
            const link = pickOf(links);
            for (let nth = 0; nth < 2; nth++) await open(link);
            return;
          }
          if (sessions.length === 0) return;
          return kind === "visit" ? visit(pickOf(sessions)) : signOut(pickOf(sessions));
        },
      },
    ],

    async check() {
      await checkRequests(world, profileId);
      if (world.violations.length > 0 || !(await isOn())) return;
      const before = known.links.length;
      await ask(addresses[0]!);
      await ask("nobody@customers.test");
      await runToEnd(world);
      for (let minutes = 0; minutes < 3 && known.links.length === before; minutes++) {
        await drain(world);
        await passTime(world, minuteMs);
        await tick(world);
        await runToEnd(world);
      }
      const link = known.links.at(-1);
      if (known.links.length === before || !link) return world.report(whole, "no link has come");
      const sessions = known.sessions.length;
      for (let nth = 0; nth < 2; nth++) await open(link);
      await runToEnd(world);
      const session = known.sessions.at(-1);
      if (known.sessions.length === sessions || !session)
        return world.report(whole, "the link opens nothing");
      await visit(session);
      await runToEnd(world);
      await signOut(session);
      await runToEnd(world);
      await visit(session);
      await runToEnd(world);
    },
  };
}

const whole = "a link that was asked for opens the portal";

/** By one address the shop has a customer, by the others it has none. */
const addresses = ["cy@customers.test", "Cy@Customers.test", "cy@customers.test", "nobody@customers.test"];

const mailerAnswers: Answers = [
  ["accepts", 12],
  ["fails", 2],
  ["resets", 1],
  ["hangs", 1],
];

async function switchOn(world: World): Promise<void> {
  const portal = JSON.stringify({ is_enabled: true });
  const sql = "UPDATE accounts SET portal = ?, updated_at = ? WHERE id = ?";
  await world.database.batch([{ sql, params: [portal, instantOf(world), world.account.id] }], "write");
  world.account = { ...world.account, portal };
  forgetAccount(world.account.id);
}
