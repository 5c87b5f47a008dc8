// `npm run --silent signing-key`: a new private key for JWT_PRIVATE_JWK, as JSON.
import { newSigningKey } from "./keys.ts";

console.log(await newSigningKey());
