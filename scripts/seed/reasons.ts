import { build, statement } from "../../src/base/db/statement.ts";
import { demoId, demoReasonLabels } from "../../src/base/demo.ts";
import { reasonKinds, reasons } from "../../src/domain/reasons/tables.ts";
import { demoAccountSeq } from "./account.ts";
import type { Part } from "./part.ts";

/** The demo store's reasons in the other languages. */
const translations: Record<string, { label_de: string; label_fr: string; label_es: string }> = {
  "Going on holiday": inOthers("Ich bin im Urlaub", "Je pars en vacances", "Me voy de vacaciones"),
  "Too much left over": inOthers("Ich habe noch genug", "Il m’en reste assez", "Aún me queda bastante"),
  "Moving house": inOthers("Ich ziehe um", "Je déménage", "Me mudo"),
  "Trying something else": inOthers("Ich probiere etwas anderes", "J’essaie autre chose", "Pruebo otra cosa"),
  "Travelling for a while": inOthers(
    "Ich bin länger verreist",
    "Je voyage quelque temps",
    "Estaré de viaje un tiempo",
  ),
  "Need a break": inOthers("Ich brauche eine Pause", "J’ai besoin d’une pause", "Necesito una pausa"),
  "Saving money": inOthers("Ich möchte sparen", "Je fais des économies", "Quiero ahorrar"),
  "Too expensive": inOthers("Es ist mir zu teuer", "C’est trop cher", "Es demasiado caro"),
  "No longer needed": inOthers("Ich brauche es nicht mehr", "Je n’en ai plus besoin", "Ya no lo necesito"),
  "Quality was not right": inOthers(
    "Die Qualität stimmte nicht",
    "La qualité ne convenait pas",
    "La calidad no era la adecuada",
  ),
  "Found an alternative": inOthers(
    "Ich habe etwas anderes gefunden",
    "J’ai trouvé autre chose",
    "He encontrado otra opción",
  ),
  Other: inOthers("Etwas anderes", "Autre raison", "Otro motivo"),
};

export const reasonsPart: Part = (now) => {
  const at = now.toISOString();
  return reasonKinds.flatMap((kind) =>
    demoReasonLabels[kind].map((label, position) =>
      statement(
        build.insert(reasons).values({
          id: demoId(`${kind}_reason`, position + 1),
          account_seq: demoAccountSeq,
          kind,
          label,
          ...translations[label],
          description: null,
          position,
          is_active: 1,
          created_at: at,
          updated_at: at,
          deleted_at: null,
        }),
      ),
    ),
  );
};

function inOthers(label_de: string, label_fr: string, label_es: string) {
  return { label_de, label_fr, label_es };
}
