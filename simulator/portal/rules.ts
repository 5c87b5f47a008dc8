import { hourMs, minuteMs } from "../../src/base/lib/time/durations.ts";
import type { World } from "../kernel/world.ts";

/** A link that a mailer was sent, and in which restores of the database it has opened the portal. */
export type Link = Ended & { token: string; cameAt: number; opened: number[] };
/** A session that a link has opened. */
export type Session = Ended & { cookie: string; openedAt: number };
/** Whether a request to end it was begun, and after how many restores one was done. */
type Ended = { mayBeOver: boolean; endedAfter: number | undefined; restores: number };

export type Known = { links: Link[]; sessions: Session[] };

/** The state that was known as a request began. */
type Before = { at: number; ended: ReadonlySet<Ended>; isEndingAll: boolean; endings: number };

/**
 * States when a link opens the portal, and when a session does: a link once, within 15 minutes, and a session for 12 hours, unless they were
 * ended before. A restore may take back that a link was used, and that a session was opened or ended.
 */
export function newSignInRules(world: World, known: Known) {
  let endingAll = 0;
  let endings = 0;
  let sentPage: string | undefined;
  const isEnded = ({ endedAfter }: Ended): boolean => endedAfter === world.restores;
  const everything = (): Ended[] => [...known.links, ...known.sessions];
  const fresh = () => ({ mayBeOver: endingAll > 0, endedAfter: undefined, restores: world.restores });

  return {
    begin: (): Before => ({
      at: world.clock,
      ended: new Set(everything().filter(isEnded)),
      isEndingAll: endingAll > 0,
      endings,
    }),
    unknownLink: (): Link => ({
      ...fresh(),
      token: "guessed".repeat(6),
      cameAt: Number.NEGATIVE_INFINITY,
      opened: [],
    }),

    noteLink(object: unknown): void {
      const { url } = (object ?? {}) as { url?: string };
      const token = url && new URL(url).searchParams.get("token");
      if (!token) {
        world.report("a mailer is sent links", JSON.stringify(object));
        return;
      }
      known.links.push({ ...fresh(), token, cameAt: world.clock, opened: [] });
      world.count("links sent");
    },

    noteOpened(link: Link, cookie: string, before: Before): void {
      const { report, restores } = world;
      if (cookie === "") report(once, "it opens the portal without a session");
      if (before.at - link.cameAt >= linkMs) report("a link opens nothing once it is over", "it has expired");
      if (before.ended.has(link)) report("a link opens nothing once it is over", "all were ended before");
      if (link.opened.includes(restores)) report(once, "it has opened the portal before");
      link.opened.push(restores);
      // One that is opened while all are ended may be among them.
      const mayBeOver = before.isEndingAll || endings > before.endings;
      known.sessions.push({ ...fresh(), mayBeOver, cookie, openedAt: before.at });
      world.count("sessions opened");
    },

    checkVisit(session: Session, isFound: boolean, { at, ended }: Before): void {
      const isOld = at - session.openedAt >= sessionMs;
      if (isFound && (ended.has(session) || isOld))
        world.report("a session that was ended opens nothing", isOld ? "it is 12 hours old" : "it was ended");
      if (!isFound && !isOld && !session.mayBeOver && session.restores === world.restores)
        world.report(
          "a session lasts until it is ended",
          `after ${(at - session.openedAt) / minuteMs} minutes`,
        );
    },

    /** Each address is answered the same page, which repeats what was typed. */
    checkSent(email: string, page: string): void {
      const without = page.replaceAll("<wbr>", "").replaceAll(email, "(address)");
      sentPage ??= without;
      if (without !== sentPage)
        world.report("no answer tells whose address is known", `${email} is answered ${page}`);
    },

    noteEnd(over: Ended[]): void {
      for (const one of over) one.endedAfter = world.restores;
    },

    /** Ends all that is there as the request begins; what is made while it runs may be over too. */
    beginEndingAll() {
      const over = everything();
      endingAll++;
      endings++;
      for (const one of over) one.mayBeOver = true;
      return {
        done: (): void => {
          for (const one of over) one.endedAfter = world.restores;
        },
        over: (): void => {
          endingAll--;
        },
      };
    },
  };
}

const once = "a link opens one session";
const linkMs = 15 * minuteMs;
const sessionMs = 12 * hourMs;
