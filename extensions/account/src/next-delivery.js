/** One line and one link: the customer's next delivery, and the way to their subscriptions. */
export default async function show() {
  const { portal } = shopify.settings.value;
  if (!portal) return;
  const session = await openSession(portal).catch(() => undefined);
  if (session?.isUnknown) return;
  const stack = make("s-stack", { direction: "inline", gap: "small" });
  const day = session?.next_delivery_date;
  if (day) stack.append(make("s-text", {}, shopify.i18n.translate("next", { date: formatDay(day) })));
  const href = session?.url ?? portal;
  stack.append(make("s-link", { href, target: "_blank" }, shopify.i18n.translate("manage")));
  document.body.append(stack);
}

/** The customer's own link into the portal, which is good once; `isUnknown` for somebody whom the shop has no subscriptions of. */
async function openSession(portal) {
  const answer = await fetch(new URL("/api/portal/store-sessions", portal), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ session_token: await shopify.sessionToken.get() }),
  });
  if (answer.status === 404) return { isUnknown: true };
  return answer.ok ? answer.json() : undefined;
}

function formatDay(day) {
  return shopify.i18n.formatDate(new Date(`${day}T00:00:00Z`), {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
}

function make(name, properties, text) {
  const element = Object.assign(document.createElement(name), properties);
  if (text) element.append(text);
  return element;
}
