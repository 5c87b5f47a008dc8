export function findPublicAnswer(shop: string): Promise<Response | undefined> {
  return caches.default.match(keyOf(shop));
}

export function keepPublicAnswer(shop: string, body: string, etag: string): Promise<void> {
  return caches.default.put(
    keyOf(shop),
    new Response(body, {
      headers: {
        "Content-Type": "application/json",
        ETag: etag,
        "Cache-Control": `max-age=${maxAgeSeconds}`,
      },
    }),
  );
}

/** Scripts that change records run outside of Cloudflare, where there is no such cache. */
export async function forgetPublicAnswer(shop: string): Promise<void> {
  if ("caches" in globalThis) await caches.default.delete(keyOf(shop));
}

/**
 * The time that the edge cache holds a shop's public answer. Its key consists of the normalised shop alone, never of the request,
 * so it cannot hold another shop's answer or a private one; only successes are stored. Cloudflare caches by data centre: a
 * change removes the answer from its own at once, from the others it expires.
 */
const maxAgeSeconds = 60;

function keyOf(shop: string): Request {
  return new Request(`https://edge-cache.invalid/skip-reasons?shop=${encodeURIComponent(shop)}`);
}
