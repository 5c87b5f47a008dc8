/** A postal address, as documents select it. */
export const addressFields =
  "address1 address2 city company country countryCodeV2 firstName lastName phone province provinceCode zip";
