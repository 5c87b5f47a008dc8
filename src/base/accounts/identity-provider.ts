import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey } from "jose";
import { perEnv } from "../env.ts";
import { DomainError } from "../errors.ts";
import { type Doubling, doublingPause } from "../lib/backoff.ts";
import { minuteMs, secondMs } from "../lib/time/durations.ts";

/** A provider that fails is asked again after 1, 2, 4 … 60 seconds. */
const pausesMs: Doubling = { first: secondMs, longest: minuteMs };

type Provider = {
  issuer: string;
  /** The provider's key for a token. Throws UNAVAILABLE while its keys cannot be fetched and none were fetched before. */
  keysAt: (nowMs: number) => JWTVerifyGetKey;
};

/** The identity provider that the deployment trusts, if it does. Its keys are fetched once for each environment. */
export const identityProvider = perEnv(({ JWT_ISSUER, JWKS_URL }): Provider | undefined =>
  JWT_ISSUER && JWKS_URL ? { issuer: JWT_ISSUER, keysAt: withBackOff(JWKS_URL) } : undefined,
);

function withBackOff(url: string): Provider["keysAt"] {
  const remote = createRemoteJWKSet(new URL(url));
  let failures = 0;
  let retryAtMs = 0;
  return (nowMs) => async (header, token) => {
    const fetchedBefore = (): ReturnType<JWTVerifyGetKey> => {
      const last = remote.jwks();
      if (!last) throw unavailable(Math.ceil((retryAtMs - nowMs) / 1000));
      return createLocalJWKSet(last)(header, token);
    };
    if (nowMs < retryAtMs) return fetchedBefore();
    try {
      const key = await remote(header, token);
      failures = 0;
      return key;
    } catch (error) {
      if (!isOutage(error)) throw error;
      retryAtMs = nowMs + doublingPause(pausesMs, failures);
      failures++;
      return fetchedBefore();
    }
  };
}

/** Whether a failure says something about the provider; one of JOSE's others says something about the token. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return true;
  return ["ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID", errors.JOSEError.code].includes(error.code);
}

function unavailable(retryAfterSeconds: number): DomainError {
  const message = "The identity provider's keys cannot be fetched, try again";
  return new DomainError("UNAVAILABLE", message, undefined, Math.max(1, retryAfterSeconds));
}
