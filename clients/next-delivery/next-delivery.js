// <perennial-next-delivery>: a customer's next delivery, and the button that skips it, on a page of the shop's own
// (docs/build/own-portal.md#one-element-instead-of-a-portal). What is served is made of this by `npm run build:element`.

/** The texts of each language, in the order of `names`. */
const texts = {
  en: "Next delivery|No delivery is planned.|Already paid|if the payment succeeds|Skip this delivery|Manage subscription|Why?|The next one then comes on|Skip|Keep it|Skipped.|Undo|It comes after all.|Try again|This cannot be shown right now.|Please sign in to the shop again.|This is not possible right now.|Please wait a minute.|The delivery comes after you confirm the payment.|A payment is owed.|Nothing is charged for now.",
  de: "Nächste Lieferung|Es ist keine Lieferung geplant.|Schon bezahlt|wenn die Zahlung gelingt|Diese Lieferung auslassen|Abo verwalten|Warum?|Die nächste kommt dann am|Auslassen|Behalten|Ausgelassen.|Rückgängig machen|Sie kommt doch.|Noch einmal versuchen|Das lässt sich gerade nicht anzeigen.|Bitte melden Sie sich im Shop neu an.|Das ist gerade nicht möglich.|Bitte warten Sie eine Minute.|Die Lieferung kommt, nachdem Sie die Zahlung bestätigt haben.|Eine Zahlung ist offen.|Zurzeit wird nichts abgebucht.",
  fr: "Prochaine livraison|Aucune livraison n’est prévue.|Déjà payée|si le paiement aboutit|Passer cette livraison|Gérer l’abonnement|Pourquoi ?|La suivante arrive alors le|Passer|La garder|Livraison passée.|Annuler|Elle arrivera finalement.|Réessayer|Impossible de l’afficher pour le moment.|Reconnectez-vous à la boutique.|Ce n’est pas possible en ce moment.|Patientez une minute.|La livraison arrive après votre confirmation du paiement.|Un paiement est dû.|Rien n’est débité pour le moment.",
  es: "Próxima entrega|No hay ninguna entrega prevista.|Ya pagada|si el pago se realiza|Saltar esta entrega|Gestionar la suscripción|¿Por qué?|La siguiente llega entonces el|Saltar|Conservarla|Entrega saltada.|Deshacer|Llegará después de todo.|Reintentar|Ahora no se puede mostrar.|Vuelve a iniciar sesión en la tienda.|Ahora no es posible.|Espera un minuto.|La entrega llega cuando confirmes el pago.|Hay un pago pendiente.|Por ahora no se cobra nada.",
};
const names =
  "next none paid risk skip manage why then confirm keep skipped undo undone again failed expired refused busy ACTION_REQUIRED owed waits".split(
    " ",
  );

// A sheet that is made like this needs no 'unsafe-inline' in the page's policy.
const sheet = new CSSStyleSheet();
sheet.replaceSync(
  ":host{display:block}p,ul,fieldset,legend{margin:0 0 .5em;padding:0;border:0;list-style:none}[part=date]{font-size:1.3em;font-weight:600}label{display:block;padding:.4em 0}button,a{display:inline-block;padding:.6em 1em;margin:0 .5em .5em 0;border:1px solid;border-radius:.4em;background:none;color:inherit;font:inherit;text-decoration:none;cursor:pointer}",
);

/** The sentence for a refusal by its status. */
const sentences = { 401: "expired", 403: "refused", 409: "refused", 429: "busy" };

/** An element with these properties and children. No text is ever read as HTML. */
function make(name, properties, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

class NextDelivery extends HTMLElement {
  static observedAttributes = ["deployment", "subscription", "token"];
  #root = this.attachShadow({ mode: "open" });
  #locale;
  /** What is being shown: whoever finds another here has been overtaken. */
  #turn = 0;

  connectedCallback() {
    this.#root.adoptedStyleSheets = [sheet];
    this.#show();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#show();
  }

  /** Reads and shows everything anew, below what was just done. Attributes that are set together make it do so once. */
  async #show(...done) {
    this.#turn++;
    const turn = this.#turn;
    await null;
    if (turn !== this.#turn) return;
    const nodes = await this.#read().catch((failure) => this.#failed(failure));
    if (turn === this.#turn) this.#put(...done, ...nodes);
  }

  async #read() {
    this.#locale = (this.closest("[lang]")?.lang ?? navigator.language).slice(0, 2);
    const { data: shop } = await this.#ask("portal/settings");
    if (!texts[this.#locale]) this.#locale = shop.default_locale;
    const words = this.#words;
    const id =
      this.getAttribute("subscription") ??
      (await this.#ask("subscriptions?status=ACTIVE&sort_by=next_delivery_date&sort_order=asc&limit=1"))
        .data[0]?.id;
    const path = `subscriptions/${encodeURIComponent(id)}`;
    const link = make(
      "a",
      { part: "link", href: this.#url(`portal/${shop.shop}${id ? `/${path}` : ""}`) },
      words.manage,
    );
    const next = id && (await this.#ask(`${path}/upcoming?count=1`)).data[0];
    const doubt = id && (!next || next.is_at_risk) && words[await this.#doubt(path)];
    const alert = doubt ? [make("a", { part: "payment", href: link.href }, doubt)] : [];
    if (!next) return [...(doubt ? alert : [make("p", { part: "empty" }, words.none)]), link];
    const reasons = await this.#ask("subscriptions/skip-reasons");
    const trial = await this.#ask(`${path}/skip-deliveries?dry_run=true`, {
      skip_reason_id: reasons[0]?.data.id,
    }).catch((failure) => {
      if (sentences[failure.status] !== "refused") throw failure;
    });
    const button = make(
      "button",
      { part: "button", onclick: () => this.#put(this.#form(path, reasons, trial.data)) },
      words.skip,
    );
    const { currency_code: currency, lines } = next;
    return [
      make("p", { part: "label", tabIndex: -1 }, words.next),
      make("p", { part: "date" }, this.#date(next.delivery_date)),
      make(
        "ul",
        { part: "items" },
        ...lines.map((line) =>
          make(
            "li",
            {},
            `${line.quantity} × ${line.product_title}${line.variant_title ? `, ${line.variant_title}` : ""}`,
          ),
        ),
      ),
      make(
        "p",
        { part: "total" },
        next.is_billed ? this.#amount(next.total, currency) : words.paid,
        next.is_at_risk ? ` (${words.risk})` : "",
      ),
      ...(trial && !doubt ? [button] : []),
      ...alert,
      link,
    ];
  }

  /** What the next payment waits for: the shop, the customer's confirmation, or what they owe. */
  async #doubt(path) {
    const [{ data: one }, { data: attempts }] = await Promise.all([
      this.#ask(path),
      this.#ask(`${path}/billing-attempts?limit=1`),
    ]);
    if (one.billing_blocked_reason) return "waits";
    return one.is_in_dunning || one.status === "PAYMENT_FAILED" ? "owed" : attempts[0]?.status;
  }

  /** Asks for the reason, if the shop has reasons, and says what comes next. */
  #form(path, reasons, after) {
    const words = this.#words;
    const key = crypto.randomUUID();
    const choices = reasons.map(({ data }) =>
      make(
        "label",
        {},
        make("input", { type: "radio", name: "reason", value: data.id, required: true }),
        " ",
        data.labels?.[this.#locale] ?? data.label,
      ),
    );
    const undo = make(
      "button",
      { part: "button", onclick: () => this.#change(`${path}/unskip`, {}, key, words.undone) },
      words.undo,
    );
    const onsubmit = (event) => {
      event.preventDefault();
      const skip_reason_id = new FormData(event.target).get("reason") ?? undefined;
      this.#change(`${path}/skip-deliveries`, { skip_reason_id }, key, words.skipped, undo);
    };
    return make(
      "form",
      { part: "form", onsubmit },
      make("p", { tabIndex: -1 }, `${words.then} `, this.#date(after.next_delivery_date)),
      ...(choices[0] ? [make("fieldset", {}, make("legend", {}, words.why), ...choices)] : []),
      make("button", { part: "button" }, words.confirm),
      make("button", { part: "button", type: "button", onclick: () => this.#show() }, words.keep),
    );
  }

  /** Does something once, however often it is clicked, and says so above what is then next. */
  #change(path, body, key, said, ...more) {
    return this.#ask(path, body, key).then(
      () => this.#show(make("p", { part: "status", role: "status", tabIndex: -1 }, said), ...more),
      (failure) => this.#put(...this.#failed(failure)),
    );
  }

  /** Says what is wrong. A page that listens can fetch another token and set it. */
  #failed({ status }) {
    const words = this.#words;
    if (status === 401) this.dispatchEvent(new Event("perennial-expired", { bubbles: true }));
    return [
      make("p", { part: "alert", role: "alert", tabIndex: -1 }, words[sentences[status] ?? "failed"]),
      make("button", { part: "button", onclick: () => this.#show() }, words.again),
    ];
  }

  /** Shows these, and leads the focus to what is new if it was in here. */
  #put(...nodes) {
    const had = this.#root.activeElement;
    this.#root.replaceChildren(...nodes);
    if (had) this.#root.querySelector("[tabindex]")?.focus();
  }

  #date(day) {
    const format = new Intl.DateTimeFormat(this.#locale, { dateStyle: "full", timeZone: "UTC" });
    return make("time", { dateTime: day }, format.format(new Date(day)));
  }

  /** With all decimals that are charged, though some languages leave them out of some currencies. */
  #amount(total, currency) {
    const [, decimals = ""] = String(total).split(".");
    const minimumFractionDigits = decimals && Math.max(2, decimals.length);
    const style = { style: "currency", currency, ...(decimals && { minimumFractionDigits }) };
    return new Intl.NumberFormat(this.#locale, style).format(total);
  }

  get #words() {
    const words = (texts[this.#locale] ?? texts.en).split("|");
    return Object.fromEntries(names.map((name, at) => [name, words[at]]));
  }

  #url(path) {
    return new URL(path, this.getAttribute("deployment"));
  }

  async #ask(path, body, key) {
    const answer = await fetch(this.#url(`api/${path}`), {
      method: body ? "POST" : "GET",
      headers: {
        Authorization: `Bearer ${this.getAttribute("token")}`,
        ...(body && { "Content-Type": "application/json" }),
        ...(key && { "Idempotency-Key": key }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw answer;
    return answer.json();
  }
}

customElements.define("perennial-next-delivery", NextDelivery);
