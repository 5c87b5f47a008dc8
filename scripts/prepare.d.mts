/** Makes what is not kept in the repository; run by its import. */
export {};
