/**
 * The law that the pages of leaving, the consents and the notices follow. It is a table for people to read and for tests to
 * hold the code to; it is no legal advice. `unsure` says what is to be checked with the text of the law before anybody relies on it.
 */
type Rule = {
  /** The paragraph that it is named by. */
  paragraph: string;
  where: "DE" | "EU" | "FR" | "US-CA";
  since: string;
  asks: string;
  /** Labels of buttons, as the paragraph words them. */
  labels?: { leave?: string; confirm?: string };
  days?: { from: number; to: number };
  years?: number;
  source: string;
  unsure?: string;
};

export const rules = [
  {
    paragraph: "§ 312k (2) BGB",
    where: "DE",
    since: "2022-07-01",
    asks: "A contract that consumers can conclude on a website can be cancelled on it, by a button, always there and at once and easily reached, that leads to a page with a second button.",
    labels: { leave: "Verträge hier kündigen", confirm: "Jetzt kündigen" },
    source: "https://www.gesetze-im-internet.de/bgb/__312k.html",
  },
  {
    paragraph: "§ 312k (2) BGB, sentence 3 no. 1",
    where: "DE",
    since: "2022-07-01",
    asks: "The page asks for the kind of cancellation and, for one for cause, its reason; who cancels; the name of the contract; from when; and where the confirmation goes. It asks for nothing else.",
    source: "https://www.gesetze-im-internet.de/bgb/__312k.html",
  },
  {
    paragraph: "§ 312k (3) BGB",
    where: "DE",
    since: "2022-07-01",
    asks: "The declaration can be kept, with date and time, on a durable medium.",
    source: "https://www.gesetze-im-internet.de/bgb/__312k.html",
  },
  {
    paragraph: "§ 312k (4) BGB",
    where: "DE",
    since: "2022-07-01",
    asks: "Its content, the date and time of its receipt and the time at which the contract ends are confirmed at once, as text by electronic means.",
    source: "https://www.gesetze-im-internet.de/bgb/__312k.html",
    unsure:
      "A date is confirmed only to the address on record; others are told that it comes. Whether that is enough for an address that differs is not settled here.",
  },
  {
    paragraph: "OLG Köln, 6 U 62/24",
    where: "DE",
    since: "2025-01-10",
    asks: "The page of cancellation is reached without signing in.",
    source: "Judgement of 10 January 2025, 6 U 62/24",
    unsure: "The reasons of the judgement were not read for this table.",
  },
  {
    paragraph: "Art. 11a (1) Directive 2011/83/EU",
    where: "EU",
    since: "2026-06-19",
    asks: "A distance contract concluded by an online interface can be withdrawn from by a function of it, labelled “withdraw from contract here” or with words that say the same, throughout the period of withdrawal.",
    source: "https://eur-lex.europa.eu/eli/dir/2023/2673/oj",
    unsure: "The labels in German, French and Spanish are ours; compare them with the law of each country.",
  },
  {
    paragraph: "Art. 11a (3) Directive 2011/83/EU",
    where: "EU",
    since: "2026-06-19",
    asks: "The declaration is sent by a second function, labelled “confirm withdrawal” or with words that say the same.",
    source: "https://eur-lex.europa.eu/eli/dir/2023/2673/oj",
  },
  {
    paragraph: "Art. 11a (4) Directive 2011/83/EU",
    where: "EU",
    since: "2026-06-19",
    asks: "Its receipt is acknowledged without delay on a durable medium, with its content, date and time.",
    source: "https://eur-lex.europa.eu/eli/dir/2023/2673/oj",
  },
  {
    paragraph: "L215-1-1 Code de la consommation",
    where: "FR",
    since: "2023-06-01",
    asks: "A contract that can be concluded by electronic means can be ended by them, free of charge and by a function that is always there.",
    source: "Loi n° 2022-1158 du 16 août 2022",
    unsure:
      "A decree (no. 2023-417) words the buttons; ours say the same, but were not compared with it word by word.",
  },
  {
    paragraph: "§ 17602 (c) Business and Professions Code",
    where: "US-CA",
    since: "2025-07-01",
    asks: "Who has taken out an automatic renewal online can end it online, at will, without steps that hinder.",
    source: "AB 2863 (2024)",
    unsure: "The letter of the subdivision may differ: AB 2863 has moved some.",
  },
  {
    paragraph: "§ 17602 (a) Business and Professions Code",
    where: "US-CA",
    since: "2025-07-01",
    asks: "A record of the consent to the terms is kept for three years, or for one year after the contract has ended, whichever is longer.",
    years: 3,
    source: "AB 2863 (2024)",
    unsure: "The number within the subdivision was not checked.",
  },
  {
    paragraph: "§ 17602 (annual reminder) Business and Professions Code",
    where: "US-CA",
    since: "2025-07-01",
    asks: "Once a year the consumer is reminded of the product, of how often and how much is charged, and of how to cancel.",
    source: "AB 2863 (2024)",
    unsure: "The number within the section was not checked.",
  },
  {
    paragraph: "§ 17602 (change of the fee) Business and Professions Code",
    where: "US-CA",
    since: "2025-07-01",
    asks: "A changed fee is told 7 to 30 days before it takes effect, with how to cancel.",
    days: { from: 7, to: 30 },
    source: "AB 2863 (2024)",
    unsure:
      "The number within the section was not checked. A price is told when it is announced, and longer terms are reminded besides: for terms of a month or less, announce it at most 30 days before.",
  },
] as const satisfies readonly Rule[];
