import type { WhyWords } from "./en.ts";

export const es: WhyWords = {
  by: {
    you: " a petición tuya",
    customer: " a petición de quien la contrató",
    shop: " por la tienda",
    named: (name) => ` por ${name}`,
  },
  failed: (amount, reason) => `El pago de ${amount} ha fallado: ${reason}.`,
  failedOn: (amount, date, product, reason) =>
    `El ${date} falló el pago de ${amount} por ${product}: ${reason}.`,
  question:
    "Hay una pregunta abierta sobre un pago. Hasta que se aclare, no cobramos nada ni planificamos nuevas entregas. No tienes que hacer nada aquí.",
  waits: {
    address:
      "Para entregar necesitamos una dirección completa. No se cobra nada hasta entonces; después continúa de forma automática.",
    held: "Tu suscripción se ha trasladado aquí. No se cobra nada hasta que la tienda la active. No tienes que hacer nada.",
    review:
      "La tienda está comprobando si un pago se ha realizado. Hasta entonces no se cobra nada más. No tienes que hacer nada.",
    stock: "Algo está agotado. La tienda lo vuelve a intentar por sí misma y no cobra nada hasta entonces.",
    shop: "La tienda no puede aceptar pagos en este momento. Lo vuelve a intentar por sí misma y no cobra nada hasta entonces. No tienes que hacer nada.",
  },
  states: {
    active: "La suscripción está activa.",
    created: "La suscripción está activa desde que se contrató.",
    resumed: (by) => `La suscripción se reanudó${by}.`,
    restarted: (by) => `La suscripción empezó de nuevo${by}.`,
    recovered: "El pago pendiente se ha realizado.",
    undone: (by) => `Un cambio anterior se deshizo${by}.`,
    paused: (by, until, reason) =>
      `La suscripción se pausó${by}${until === null ? "" : ` hasta el ${until}`}${reason === null ? "." : `: ${reason}`}`,
    pausedUnpaid: "La suscripción se pausó porque no se realizó un pago.",
    cancelled: (by, reason) => `La suscripción se canceló${by}${reason === null ? "." : `: ${reason}`}`,
    cancelledUnpaid: "La suscripción se canceló porque no se realizó un pago.",
    ended: "La suscripción ha terminado, porque se realizó el último de los pagos acordados.",
    unpaid: "No se realizó un pago, y no se vuelve a intentar de forma automática.",
    skipped: (by) => `Se omitió una entrega${by}.`,
    moved: (by) => `La próxima entrega se cambió de fecha${by}.`,
  },
  next: {
    charge: (amount) => `Se cobran ${amount}.`,
    retry: (amount) => `Se vuelve a intentar el pago de ${amount}.`,
    delivery: (product) => `Llega la próxima entrega: ${product}.`,
    pauseEnds: "Termina la pausa.",
    confirmationEnds: (amount) => `Hasta entonces se puede confirmar el pago de ${amount}.`,
    unpaid: {
      fail: "Se renuncia al pago, y no hay entregas hasta que se realice.",
      pause: "La suscripción se pausa.",
      cancel: "La suscripción se cancela.",
    },
    ifPaid: "El pago tiene que realizarse.",
    ifPayable: "Tiene que haber una forma de pago válida.",
    ifBilled: "El cobro tiene que continuar.",
    ifUnpaid: "El pago no se realiza antes.",
  },
  parts: {
    line: (title, quantity) => (quantity === 1 ? title : `${quantity} × ${title}`),
    planned: "Descuento por suscripción",
    otherAmount: "La tienda ha cobrado otro importe",
  },
  now: {
    due: (date) => `Vencía el ${date}.`,
    afterWait: "El cobro había tenido que esperar y se volvió a intentar.",
    shipNow: (by) => `Se pidió cobrar y enviar en el momento${by}.`,
    retry: (by) => `Se pidió otro intento${by}.`,
    again: "El pago había fallado antes y se volvió a intentar.",
    switched: (by) => `Se cambió la forma de pago${by}, y había un pago pendiente.`,
  },
  outcomes: {
    queued: (amount) => `El pago de ${amount} todavía no se ha enviado.`,
    running: (amount) => `El pago de ${amount} está en marcha.`,
    unconfirmed: (amount) => `El pago de ${amount} está por confirmar.`,
    inReview: (amount) => `La tienda está comprobando si el pago de ${amount} ha llegado.`,
    paid: (amount, date) => `El ${date} se pagaron ${amount}.`,
    withdrawn: (amount) => `El pago de ${amount} se ha retirado. No se ha cobrado nada.`,
  },
};
