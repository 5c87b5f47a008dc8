// Comfort only: every page works without it. `/` leads to the search field, `u` undoes the change that was just made.
document.addEventListener("keydown", (event) => {
  const isChord = event.ctrlKey || event.metaKey || event.altKey;
  if (isChord || event.target.closest("input, select, textarea")) return;
  const wanted = { "/": ".search input", u: "[data-key=u]" }[event.key];
  const found = wanted && document.querySelector(wanted);
  if (!found) return;
  event.preventDefault();
  if (event.key === "/") found.focus();
  else found.click();
});
