/** Whether one of the claims is the HMAC (SHA-256) of these bytes with one of the secrets; compared in constant time. */
export async function isHmacOf(bytes: Uint8Array, claims: Uint8Array[], secrets: string[]): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const results = secrets.map(async (secret) => {
    const raw = new TextEncoder().encode(secret);
    const key = await crypto.subtle.importKey("raw", raw, algorithm, false, ["verify"]);
    return Promise.all(claims.map((claim) => crypto.subtle.verify(algorithm, key, claim, bytes)));
  });
  return (await Promise.all(results)).flat().includes(true);
}
