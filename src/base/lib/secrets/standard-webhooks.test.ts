/** Webhooks are signed as the Standard Webhooks specification and its library sign them. */
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { isSignedWebhook, signWebhook } from "./standard-webhooks.ts";

/** The example of the specification's own library. */
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const [id, body] = ["msg_p5jXN8AQM9LWM0D4loKWxJek", '{"test": 2432232314}'];
const at = new Date(1_614_265_330_000);
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

function claim(changes: object = {}, now = at): Promise<boolean> {
  const claimed = { id, timestamp: String(at.getTime() / 1000), signatures: signature, body };
  return isSignedWebhook(secret, { ...claimed, ...changes }, now);
}

test("a message is signed as the specification's example has it", async () => {
  expect(await signWebhook(secret, { id, at, body })).toBe(signature);
  expect(await claim()).toBe(true);
});

test.each(["", "{}", "Grüße, 日本 🐕", "x".repeat(100_000)])("the library signs %j so, too", async (text) => {
  const signed = await signWebhook(secret, { id, at, body: text });
  expect(signed).toBe(new Webhook(secret).sign(id, at, text));
  expect(await claim({ body: text, signatures: `v1,AAAA v2,x ${signature} ${signed}` })).toBe(true);
});

test("another message, secret, version or time is refused", async () => {
  const bad = [
    { body: `${body} ` },
    { id: "msg" },
    { id: "" },
    { timestamp: "1614265331" },
    { timestamp: "" },
  ]
    .concat([{ timestamp: "x" }, { signatures: "" }, { signatures: signature.replace("v1", "v2") }] as never)
    .concat([{ signatures: "v1,~" }, { signatures: `${signature}=` }] as never);
  for (const changes of bad) expect(await claim(changes), JSON.stringify(changes)).toBe(false);
  const after = (seconds: number) => claim({}, new Date(at.getTime() + seconds * 1000));
  expect(await Promise.all([-301, -300, 300, 301].map(after))).toEqual([false, true, true, false]);
  const other = await signWebhook(`whsec_${btoa("another secret of many letters")}`, { id, at, body });
  expect(await claim({ signatures: other })).toBe(false);
});
