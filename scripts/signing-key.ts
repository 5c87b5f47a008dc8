// `npm run --silent signing-key`: a new private key for JWT_PRIVATE_JWK, as JSON.
import { exportJWK, generateKeyPair } from "jose";

/** A fresh Ed25519 private key as a JWK text. */
export const newSigningKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
};

if (import.meta.main) console.log(await newSigningKey());
