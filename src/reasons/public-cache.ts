/**
 * How long the edge cache holds a shop's public answer. Its key consists of the normalised shop alone, never of the request,
 * so it cannot hold another shop's answer or a private one; only successes are stored. Cloudflare caches by data centre: a
 * change removes the answer from its own at once, from the others it expires.
 */
const maxAgeSeconds = 60;

export const findPublicAnswer = (shop: string): Promise<Response | undefined> =>
  caches.default.match(keyOf(shop));

export const keepPublicAnswer = (shop: string, body: string, etag: string): Promise<void> =>
  caches.default.put(
    keyOf(shop),
    new Response(body, {
      headers: {
        "Content-Type": "application/json",
        ETag: etag,
        "Cache-Control": `max-age=${maxAgeSeconds}`,
      },
    }),
  );

/** Scripts that change records run outside of Cloudflare, where there is no such cache. */
export const forgetPublicAnswer = async (shop: string): Promise<void> => {
  if ("caches" in globalThis) await caches.default.delete(keyOf(shop));
};

function keyOf(shop: string): Request {
  return new Request(`https://edge-cache.invalid/skip-reasons?shop=${encodeURIComponent(shop)}`);
}
