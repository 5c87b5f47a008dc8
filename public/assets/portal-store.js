// Has the store's script, which is loaded before this one, take a payment method or confirm a payment. Without it the page's links remain.
const form = document.querySelector("form[data-store]");
if (form && window.Stripe) {
  const { store, key, secret, method, done, wait, failed } = form.dataset;
  const stripe = window.Stripe(key, { locale: document.documentElement.lang });
  const [button, fault] = [form.querySelector("button"), form.querySelector("[role=alert]")];
  const label = button.textContent;
  let elements;
  if (store === "setup") {
    elements = stripe.elements({ clientSecret: secret });
    elements.create("payment").mount(form.querySelector(".element"));
  }
  for (const fallback of document.querySelectorAll("[data-fallback]")) fallback.hidden = true;
  form.hidden = false;

  const confirm = () =>
    store === "setup"
      ? stripe.confirmSetup({
          elements,
          redirect: "if_required",
          confirmParams: { return_url: new URL(done, location.href).href },
        })
      : stripe.confirmCardPayment(secret, { payment_method: method });

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    button.textContent = wait;
    fault.hidden = true;
    const { error, setupIntent } = await confirm().catch((error) => ({ error }));
    if (!error && store === "payment") return form.submit();
    if (!error) return location.assign(`${done}?setup_intent=${encodeURIComponent(setupIntent.id)}`);
    delete form.dataset.sent;
    button.removeAttribute("aria-disabled");
    button.disabled = false;
    button.textContent = label;
    fault.textContent = error.message ? `${failed} (${error.message})` : failed;
    fault.hidden = false;
    button.focus();
  });
}
