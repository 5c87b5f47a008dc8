window.addEventListener("load", () => {
  window.ui = window.SwaggerUIBundle({
    url: "/api.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    displayRequestDuration: true,
    validatorUrl: "none",
  });
});
