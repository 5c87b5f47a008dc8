import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";

/** A fresh Ed25519 private key as a JWK text, for JWT_PRIVATE_JWK. */
export const newSigningKey = async (): Promise<string> => {
  const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
};

/** 32 random bytes in base64, for STORE_CREDENTIALS_KEY. */
export const newCredentialsKey = (): string => randomBytes(32).toString("base64");
