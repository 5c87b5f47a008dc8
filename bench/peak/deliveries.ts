import { mostConsumersOfAccount } from "../../src/domain/webhook-endpoints/outbox.ts";
import { mostLeased } from "../../src/domain/webhook-endpoints/tables.ts";
import { type openDatabase, openQueue, type Trips } from "./platform.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The time that an endpoint and a provider of mails take to answer. */
export type Receivers = { endpointMs: number; providerMs: number };

type Endpoint = { isMail: boolean; due: number; leased: number; consumers: number };

/** The events that a merchant's endpoint receives, and the mails to customers, which share the account's consumers. */
export function openDeliveries(
  time: VirtualTime,
  database: ReturnType<typeof openDatabase>,
  receivers: Receivers | undefined,
) {
  const { now, sleep } = time;
  const endpoints: Endpoint[] = [false, true].map((isMail) => ({ isMail, due: 0, leased: 0, consumers: 0 }));
  let endedAt = 0;

  /** A message: an endpoint's due deliveries are taken and sent, as deliver.ts does. */
  const deliver = async (endpoint: Endpoint): Promise<void> => {
    const trips = database.together();
    for (let nth = 0; nth < 2; nth++) await trips.read();
    const taken = Math.min(endpoint.due, roomOf(endpoint));
    endpoint.due -= taken;
    endpoint.leased += taken;
    if (taken > 0) endpoint.consumers++;
    await trips.write(taken * rowsOf.lease);
    if (taken === 0) return;
    await trips.read();
    let left = taken;
    const one = async (): Promise<void> => {
      while (left > 0) {
        left--;
        await (endpoint.isMail ? mail(trips) : event(trips));
        endpoint.leased--;
        endedAt = now();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    endpoint.consumers--;
    await trips.read();
    wake(endpoints.filter(({ due }) => due > 0));
  };

  /** The number of deliveries of an endpoint that may be taken now. */
  const roomOf = ({ consumers, leased }: Endpoint): number => {
    const all = endpoints.reduce((sum, each) => sum + each.consumers, 0);
    return all >= (consumers > 0 ? mostBesideItself : mostConsumersOfAccount) ? 0 : mostLeased - leased;
  };

  const event = async (trips: Trips): Promise<void> => {
    await sleep(receivers?.endpointMs ?? 0);
    await trips.write(rowsOf.event);
  };

  const mail = async (trips: Trips): Promise<void> => {
    for (let nth = 0; nth < readsOfMail; nth++) await trips.read();
    await trips.write(rowsOf.mailBegun);
    await sleep(receivers?.providerMs ?? 0);
    await trips.write(rowsOf.mailSent);
  };

  const queue = openQueue<Endpoint>(time, consumerOfEvents, (messages) =>
    Promise.all(messages.map(deliver)).then(() => undefined),
  );
  const wake = (which: Endpoint[]): void => queue.send(which);

  return {
    /** A commit that so many events and mails come of. */
    add({ events, mails }: { events: number; mails: number }): void {
      if (!receivers) return;
      for (const endpoint of endpoints) {
        const more = endpoint.isMail ? mails : events;
        endpoint.due += more;
        if (more > 0 && roomOf(endpoint) > 0) wake([endpoint]);
      }
    },
    endedAt: () => endedAt,
  };
}

/** As in wrangler.toml. */
const consumerOfEvents = { max_batch_size: 1, max_batch_timeout: 0, max_concurrency: 20 };
/** As in webhook-endpoints/outbox.ts and deliver.ts. */
const [mostBesideItself, atOnce] = [2, 5];
/** The mail, its customer, what it says (two), and the merchant's words. */
const readsOfMail = 5;
const rowsOf = { lease: 3, event: 3, mailBegun: 3, mailSent: 5 };
