/** The text of a page of docs/, which Vite imports with `?raw`. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}

/** And of the rules for alerts. */
declare module "*.yml?raw" {
  const text: string;
  export default text;
}
