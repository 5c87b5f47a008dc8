// `npm run --silent credentials-key`: a new key for STORE_CREDENTIALS_KEY, in base64.
import { newCredentialsKey } from "./keys.ts";

console.log(newCredentialsKey());
