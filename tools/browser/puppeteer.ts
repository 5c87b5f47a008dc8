/** The driver of the browser. It stands here because imports are resolved from the folder of a module. */
export type { AxeResults } from "axe-core";
export { type Browser, type BrowserContext, connect, launch, type Page } from "puppeteer-core";
