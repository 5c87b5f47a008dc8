/** Shows the plans of the variant that the theme's own form has, and keeps the choice between variants. */
class PerennialPlans extends HTMLElement {
  #gone;

  connectedCallback() {
    this.#gone = new AbortController();
    const { signal } = this.#gone;
    // Themes set the field of their form after their own listeners.
    document.addEventListener("change", () => setTimeout(() => this.#follow()), { signal });
    addEventListener("popstate", () => this.#follow(), { signal });
    this.#follow();
  }

  disconnectedCallback() {
    this.#gone.abort();
  }

  #follow() {
    const fields = [...document.querySelectorAll('form[action*="/cart/add"] [name="id"]')];
    const theirs = fields.find((field) => !field.closest("perennial-plans"));
    const id = theirs?.value || new URLSearchParams(location.search).get("variant");
    const all = [...this.querySelectorAll("[data-variant]")];
    const from = all.find(({ hidden }) => !hidden);
    const to = all.find(({ dataset }) => dataset.variant === id);
    if (!to || to === from) return;
    const chosen = from && new FormData(from.querySelector("form")).get("selling_plan");
    if (chosen !== undefined) this.#choose(to.querySelector("form"), chosen);
    for (const one of all) one.hidden = one !== to;
  }

  /** A plan that the variant does not have leaves its first choice. */
  #choose(form, plan) {
    const field = form.elements.selling_plan;
    const values = [...(field.options ?? [field].flat())].flatMap((one) => [...(one.length ? one : [one])]);
    if (values.some(({ value }) => value === plan)) field.value = plan;
  }
}

if (!customElements.get("perennial-plans")) customElements.define("perennial-plans", PerennialPlans);
