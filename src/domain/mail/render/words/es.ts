import { es as words } from "../../../../base/language/words/es.ts";
import type { MailWords } from "./en.ts";

export const es: MailWords = {
  ...words,
  labelled: (label, value) => `${label}: ${value}`,
  details: "Detalles",
  items: "Artículos",
  paidOn: "Pagado el",
  changesUntil: "Cambios hasta",
  cancelling: "Cómo cancelar",
  nextTry: "Próximo intento",
  ifUnpaid: "Si no se paga",
  confirmUntil: "Confirmar hasta",
  trackingNumber: "Número de seguimiento",
  validUntil: "Válido hasta",
  before: "antes",
  manageSubscription: "Gestionar mi suscripción",
  writeToChange: "Para cambiar, pagar o cancelar algo, escribe a",
  answerToChange: "Para cambiar, pagar o cancelar algo, responde a este correo.",
  cancelAnyTime: "Cuando quieras, en la página de tu suscripción.",
  cancelByShop: "Escríbenos y la cancelamos por ti.",
  nextChargeIs: (amount, date) => `El próximo cobro es de ${amount}, el ${date}.`,
  becauseSubscribed: (shop) => `Recibes este correo porque tienes una suscripción en ${shop}.`,
  becauseAsked: (shop) =>
    `Recibes este correo porque alguien pidió en ${shop} un enlace para entrar con esta dirección.`,
  login_link: {
    subject: (shop) => `Tu enlace para entrar en ${shop}`,
    first: (shop, until) =>
      `Este enlace abre tus suscripciones en ${shop}. Funciona una vez, hasta el ${until}.`,
    notAsked: "¿No lo has pedido? Entonces no tienes que hacer nada: sin el enlace no entra nadie.",
  },
  declaration: {
    subject: {
      cancellation: (shop) => `Hemos recibido tu cancelación en ${shop}`,
      withdrawal: (shop) => `Hemos recibido tu desistimiento en ${shop}`,
    },
    received: (when) => `Tu declaración nos llegó el ${when}.`,
    ends: (date) => `Tu suscripción termina el ${date}. Desde ese día no se cobra nada.`,
    endsAfterTerm: "Tu suscripción termina en cuanto acabe su duración mínima.",
    continues: "Ya no cuenta: desde entonces has empezado de nuevo tu suscripción.",
    open: {
      cancellation: "Tiene efecto en cuanto tu contrato lo permita. Te comunicamos la fecha.",
      withdrawal: "Lo revisamos y te respondemos.",
    },
    declared: "Tu declaración",
    kinds: { cancellation: "Cancelación", withdrawal: "Desistimiento" },
    number: "Número de suscripción o de pedido",
    from: "Desde cuándo",
    soonest: "Lo antes posible",
    grounds: "Tipo",
    ordinary: "Ordinaria",
    cause: "Por causa justificada",
    reason: "Causa",
    notMe: "No he sido yo",
    notMeText: (until) => `¿No lo has declarado tú? Un clic lo anula, hasta el ${until}.`,
    because: (shop) =>
      `Recibes este correo porque alguien ha indicado esta dirección en la página de cancelación de ${shop}.`,
  },
  welcome: {
    subject: (product) => `Tu suscripción ha empezado: ${product}`,
    first: (product, amount, date) =>
      `Tu suscripción ha empezado: ${product}. El próximo cobro es de ${amount}, el ${date}.`,
    firstUncharged: (product) => `Tu suscripción ha empezado: ${product}.`,
  },
  annual_notice: {
    subject: (product) => `Tu suscripción continúa: ${product}`,
    first: (product, amount) =>
      `Tienes una suscripción: ${product}. Cuesta ${amount} cada vez y continúa hasta que la canceles.`,
    next: "Esto es lo acordado. Si todo está como quieres, no tienes que hacer nada.",
    button: "Cancelar la suscripción",
  },
  upcoming_charge: {
    subject: (amount, date) => `Cobraremos ${amount} el ${date}`,
    first: (amount, date, product) => `El ${date} cobraremos ${amount} por ${product}.`,
    next: (until) =>
      `Puedes cambiar o cancelar la suscripción hasta el ${until}. Si todo está bien, no tienes que hacer nada.`,
    nextUncancellable: (until) =>
      `Puedes cambiar la suscripción hasta el ${until}. Si todo está bien, no tienes que hacer nada.`,
    button: "Cambiar o cancelar",
  },
  receipt: {
    subject: (order, amount) => `${order}: ${amount} pagados`,
    subjectUncharged: (order) => `${order}: nada que pagar`,
    yourOrder: (number) => (number === null ? "Tu pedido" : `Tu pedido ${number}`),
    paid: (amount, date, product) => `El ${date} pagaste ${amount} por ${product}.`,
    prepaid: (date, product) =>
      `El ${date} se pidió tu próxima entrega: ${product}. Ya está pagada y no se cobra nada.`,
    free: (date, product) => `El ${date} se pidió tu próxima entrega: ${product}. No se cobra nada por ella.`,
    delivery: (date) => `La entrega está prevista para el ${date}.`,
  },
  payment_failed: {
    subjectRetry: (amount, date) => `Tu pago de ${amount} ha fallado. Próximo intento: ${date}`,
    subjectAct: (amount, date) => `Tu pago de ${amount} ha fallado. Paga como muy tarde el ${date}`,
    subjectShop: (amount) => `Tu pago de ${amount} se retrasa`,
    retry: (date) =>
      `Lo volvemos a intentar el ${date}. También puedes pagar ahora o elegir otra forma de pago.`,
    act: (date) =>
      `No lo volvemos a intentar de forma automática. Paga como muy tarde el ${date} o elige otra forma de pago.`,
    change: (date) =>
      `No lo volvemos a intentar con esta forma de pago. Elige otra como muy tarde el ${date}.`,
    shop: "Lo volvemos a intentar de forma automática. No tienes que hacer nada.",
    ifUnpaid: {
      fail: (date) => `Sin entregas a partir del ${date}, hasta que se pague`,
      pause: (date) => `Tu suscripción se pausa el ${date}`,
      cancel: (date) => `Tu suscripción termina el ${date}`,
    },
    alreadyPaid: "¿Ya has pagado? Entonces no tienes que hacer nada.",
  },
  confirm_payment: {
    subject: (amount, date) => `Confirma tu pago de ${amount} como muy tarde el ${date}`,
    first: (amount, until, product) =>
      `Tu pago de ${amount} por ${product} espera tu confirmación hasta el ${until}.`,
    next: "Lo pide tu banco. No se cobra nada antes de que confirmes, y tu entrega espera hasta entonces.",
    already: "¿Ya lo has confirmado? Entonces no tienes que hacer nada.",
  },
  address_missing: {
    subject: "Necesitamos tu dirección para la próxima entrega",
    first: (product, missing) =>
      `Tu entrega de ${product} espera, porque a tu dirección le falta: ${missing}.`,
    next: "No se cobra nada hasta que la dirección esté completa. Después continúa de forma automática.",
    button: "Completar la dirección",
    fields: {
      address1: "calle y número",
      city: "ciudad",
      zip: "código postal",
      country_code: "país",
    },
  },
  payment_ended: {
    first: (amount, date, product, reason) =>
      `El ${date} el pago de ${amount} por ${product} seguía pendiente: ${reason}.`,
    subject: {
      fail: (amount) => `Sin entregas hasta que se paguen ${amount}`,
      pause: (amount) => `Tu suscripción está en pausa: no se han pagado ${amount}`,
      cancel: (amount) => `Tu suscripción ha terminado: no se han pagado ${amount}`,
    },
    now: {
      fail: "No hay entregas hasta que se pague. Paga ahora y continúan.",
      pause: "Tu suscripción está en pausa. No se cobra ni se envía nada hasta que la reanudes.",
      cancel: "Tu suscripción ha terminado y no se cobra nada más. Puedes empezar de nuevo cuando quieras.",
    },
  },
  card_expiring: {
    card: (card) => `Tu tarjeta ${card}`,
    subject: (card, month) => `${card} caduca a finales de ${month}`,
    first: (card, month, product) => `${card} caduca a finales de ${month}. Con ella pagas ${product}.`,
    next: "Elige antes otra forma de pago y tus entregas continúan como estaba previsto.",
    none: "Ningún cobro previsto",
  },
  changed: {
    subject: {
      paused: "Tu suscripción está en pausa",
      resumed: "Tu suscripción vuelve a estar activa",
      skipped: "Tu próxima entrega llega más tarde",
      unskipped: "Se ha deshecho el salto de una entrega",
      rescheduled: "Tu próxima entrega se ha movido",
      frequency: "La frecuencia de tu suscripción ha cambiado",
      address: "Tu dirección de entrega ha cambiado",
      lines: "Los artículos de tu suscripción han cambiado",
      cancelled: "Tu suscripción está cancelada",
      reactivated: "Tu suscripción empieza de nuevo",
      undone: "Tu suscripción está como antes",
    },
    first: {
      paused: (date) => `El ${date} se pausó tu suscripción`,
      resumed: (date) => `El ${date} se reanudó tu suscripción`,
      skipped: (date, count) =>
        count === 1
          ? `El ${date} se saltó la próxima entrega`
          : `El ${date} se saltaron las próximas ${count} entregas`,
      unskipped: (date) => `El ${date} se deshizo el salto de una entrega`,
      rescheduled: (date) => `El ${date} se movió la próxima entrega`,
      frequency: (date) => `El ${date} se cambió la frecuencia de tu suscripción`,
      address: (date) => `El ${date} se cambió la dirección de entrega de tu suscripción`,
      lines: (date) => `El ${date} se cambiaron los artículos de tu suscripción`,
      cancelled: (date) => `El ${date} se canceló tu suscripción`,
      reactivated: (date) => `El ${date} tu suscripción empezó de nuevo`,
      undone: (date) => `El ${date} se deshizo un cambio de tu suscripción`,
    },
    byShop: (shop) => `${shop} ha hecho este cambio.`,
    nothingPaused: "Durante la pausa no se cobra nada.",
    nothingMore: "No se cobra nada más.",
    lastDelivery: (date) => `La última entrega pagada está prevista para el ${date}.`,
    wayBack: {
      undo: {
        button: "Deshacer este cambio",
        sentence: "Durante un día puedes deshacer este cambio y todo queda como antes.",
      },
      resume: {
        button: "Reanudar la suscripción",
        sentence: "Si no es lo que quieres, puedes reanudarla.",
      },
      unskip: {
        button: "Recuperar la entrega",
        sentence: "Si no es lo que quieres, puedes recuperar la entrega.",
      },
      reactivate: {
        button: "Empezar de nuevo",
        sentence: "Puedes empezar de nuevo cuando quieras.",
      },
    },
  },
  price_change: {
    subject: (date, price) => `Nuevo precio a partir del ${date}: ${price}`,
    subjectUndated: (price) => `Nuevo precio: ${price}`,
    first: (date, product, to, from) => `A partir del ${date}, ${product} cuesta ${to} en lugar de ${from}.`,
    firstUndated: (product, to, from) => `${product} costará ${to} en lugar de ${from}.`,
    later:
      "El nuevo precio se aplica desde el primer cobro, cuando se reanude tu suscripción. Hasta entonces no se cobra nada.",
    each: (price) => `${price} por unidad`,
    cancelUntil: (until) =>
      `Si no te conviene, puedes cancelar la suscripción hasta el ${until}. Si te parece bien, no tienes que hacer nada.`,
    cancelAnyTime:
      "Si no te conviene, puedes cancelar la suscripción cuando quieras. Si te parece bien, no tienes que hacer nada.",
    nothingToDo: "No tienes que hacer nada.",
    price: "Precio por unidad",
    firstCharge: "Primer cobro al nuevo precio",
    amount: "Importe de ese cobro",
    button: "Cancelar la suscripción",
  },
  shipped: {
    subject: (number) =>
      number === null ? "Tu pedido está en camino" : `Tu pedido ${number} está en camino`,
    first: (product, date) => `Tu entrega está en camino y debería llegar el ${date}: ${product}.`,
    firstUndated: (product) => `Tu entrega está en camino: ${product}.`,
    button: "Seguir el paquete",
  },
};
