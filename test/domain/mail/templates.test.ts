/** The shop's own words stand in its mails, and words that a mail could not have are refused. */
import { describe, expect, test } from "vitest";
import { openShop, subscribe } from "../../support/shops.ts";
import { linked, shipNow, useWorker } from "../../support/worker.ts";
import { log, postboxOf } from "./postbox.ts";

const worker = useWorker();
const receipt = "/api/account/mail/templates/receipt/en";
const words = {
  subject: "{first_name}, thank you",
  intro: "Order {order_number} of {product} is paid.",
  closing: "Write to us.",
};

async function opened() {
  const shop = await openShop();
  const postbox = postboxOf(shop, worker);
  await postbox.set(log);
  return { shop, postbox };
}

describe("the shop's own words", () => {
  test("stand in its mails until they are taken back", async () => {
    const { shop, postbox } = await opened();
    expect((await postbox.call("GET", receipt)).status).toBe(404);
    expect((await postbox.call("PUT", receipt, words)).body.data).toMatchObject({
      kind: "receipt",
      locale: "en",
      ...words,
    });
    expect((await postbox.call("GET", receipt)).body.data).toMatchObject(words);
    await shipNow(shop, worker, await linked(shop, worker));
    await worker.drain();
    const [mail] = await postbox.list();
    expect((await postbox.content(mail)).text).toContain("Write to us.");
    expect((await postbox.call("DELETE", receipt)).status).toBe(204);
    expect((await postbox.call("GET", receipt)).status).toBe(404);
    expect((await postbox.call("DELETE", receipt)).status).toBe(404);
  });

  test("are checked, and not saved, by a dry run", async () => {
    const { postbox } = await opened();
    expect((await postbox.call("PUT", receipt, words, { dry_run: "true" })).body.data).toMatchObject(words);
    expect((await postbox.call("GET", receipt)).status).toBe(404);
  });

  test.each([
    [{ ...words, intro: "Hello {fist_name}" }, "intro", "did you mean first_name?"],
    [{ ...words, intro: "{next_try}" }, "intro", "has the unknown name {next_try}"],
    [{ ...words, subject: "one\ntwo" }, "subject", "must be one line"],
    [{ ...words, closing: "x".repeat(2001) }, "closing", "must have at most 2000 characters"],
  ])("are refused: %j", async (body, path, message) => {
    const { postbox } = await opened();
    const answer = await postbox.call("PUT", receipt, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details).toMatchObject([{ path, message: expect.stringContaining(message) }]);
  });

  test.each(["nothing/en", "receipt/it"])("are of no kind or language that there is not: %s", async (key) => {
    const { postbox } = await opened();
    expect((await postbox.call("GET", `/api/account/mail/templates/${key}`)).status).toBe(404);
  });

  test("are previewed, of an example or of a subscription", async () => {
    const { shop, postbox } = await opened();
    await postbox.call("PUT", receipt, words);
    const example = (await postbox.call("POST", `${receipt}/preview`, {})).body.data;
    expect(example).toMatchObject({
      subject: "Ada, thank you",
      html: expect.stringContaining("Write to us."),
    });
    const subscription_id = await subscribe(shop);
    const own = (await postbox.call("POST", `${receipt}/preview`, { subscription_id })).body.data;
    expect(own.text).toContain("Kibble");
    const unknown = await postbox.call("POST", `${receipt}/preview`, {
      subscription_id: crypto.randomUUID(),
    });
    expect([unknown.status, unknown.body.errorCode]).toEqual([400, "UNKNOWN_SUBSCRIPTION"]);
    expect(await postbox.list()).toEqual([]);
  });
});
