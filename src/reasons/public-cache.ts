/**
 * The edge cache of a shop's public answer. Its key is made of the normalised shop alone, never of the request,
 * so it cannot hold another shop's answer or a private one; only successes go in. Cloudflare keeps it by data
 * centre: a change forgets it here at once, elsewhere it ages out within `maxAgeSeconds`.
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

/** Outside of Cloudflare, where scripts change records, there is no such cache. */
export const forgetPublicAnswer = async (shop: string): Promise<void> => {
  if ("caches" in globalThis) await caches.default.delete(keyOf(shop));
};

function keyOf(shop: string): Request {
  return new Request(`https://edge-cache.invalid/skip-reasons?shop=${encodeURIComponent(shop)}`);
}
