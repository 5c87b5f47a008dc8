import { es as why } from "../why/es.ts";
import type { Words } from "./en.ts";

export const es: Words = {
  why,
  leaveHere: "Cancelar contratos aquí",
  withdrawHere: "Desistir del contrato aquí",
  help: "¿Preguntas? Escribe a",
  enter: "Abrir mis suscripciones",
  andMore: (count) => `y ${count} más`,
  delivery: "Entrega",
  nextDelivery: "Próxima entrega",
  nextCharge: "Próximo cobro",
  amount: "Importe",
  frequency: "Frecuencia",
  status: "Estado",
  address: "Dirección de entrega",
  payment: "Forma de pago",
  pausedUntil: "En pausa hasta",
  none: {
    delivery: "Ninguna",
    charge: "Ninguno",
    amount: "Nada",
    address: "Ninguna",
    slot: "Ninguna",
    instructions: "Ninguna",
    items: "Ninguno",
    payment: "Ninguna",
  },
  shipping: "Envío",
  discount: "Descuento",
  tax: "Impuestos",
  total: "Total",
  seller: "Vendido por",
  manage: "Gestionar",
  confirmPayment: "Confirmar el pago",
  statuses: {
    ACTIVE: "Activa",
    PAUSED: "En pausa",
    CANCELLED: "Cancelada",
    EXPIRED: "Terminada",
    PAYMENT_FAILED: "Pago fallido",
  },
  every: (unit, count) => {
    const one = { DAY: "Cada día", WEEK: "Cada semana", MONTH: "Cada mes", YEAR: "Cada año" }[unit];
    const noun = { DAY: "días", WEEK: "semanas", MONTH: "meses", YEAR: "años" }[unit];
    return count === 1 ? one : `Cada ${count} ${noun}`;
  },
  cancelAfter: (count) =>
    count === 1
      ? "Podrás cancelar después de un pago más."
      : `Podrás cancelar después de ${count} pagos más.`,
  cancelFrom: (count, date) =>
    count === 1
      ? `Podrás cancelar después de un pago más, a partir del ${date}.`
      : `Podrás cancelar después de ${count} pagos más, a partir del ${date}.`,
  brands: { sepa_debit: "Adeudo SEPA" },
  undo: "Deshacer",
  order: "Pedido",
  tracking: "Seguimiento",
  changePayment: "Cambiar la forma de pago",
  resume: "Reanudar",
  startAgain: "Empezar de nuevo",
  payNow: "Pagar ahora",
  reasons: {
    funds: "no había saldo suficiente",
    expired: "la tarjeta ha caducado",
    removed: "la forma de pago se ha eliminado",
    unconfirmed: "no se ha confirmado",
    declined: "el banco lo ha rechazado",
    shop: "la tienda no puede cobrar en este momento",
    stock: "algún artículo está agotado",
  },
};
