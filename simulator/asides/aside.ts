/** What goes on beside billing in a share of the schedules, with rules of its own. */
export type Aside = {
  /** How likely something of it happens next; 0 while nothing can. */
  weight: (isBusy: boolean) => number;
  /** Something of it happens. */
  act: () => Promise<void>;
  /** Faults have stopped: what is still under way arrives, and people do what they would do in the end. */
  settle?: () => Promise<void>;
  /** When there is next something to settle, in milliseconds. */
  nextAt?: () => number | undefined;
  /** What an operator does of it after the database was restored. */
  afterRestore?: () => Promise<void>;
  /** Checks the state in which the schedule ended. */
  check: () => Promise<void>;
};

/** The kinds of it: pushes of selling plans, a test clock, and the portal's sign-in links. */
export type AsideName = "plans" | "clock" | "links";
