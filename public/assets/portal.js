// Comfort only: every page works without it. The service takes a form that is sent twice once; this spares the second request.
document.addEventListener("submit", (event) => {
  const [form, button] = [event.target, event.submitter];
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  button?.setAttribute("aria-disabled", "true");
});
// A page that comes back from the browser's history can be sent again.
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
  for (const button of document.querySelectorAll("button[aria-disabled]"))
    button.removeAttribute("aria-disabled");
});
// Typing another address chooses it.
document.querySelector("fieldset.other")?.addEventListener("input", () => {
  const other = document.querySelector('input[name="delivery_address_id"][value="other"]');
  if (other) other.checked = true;
});
