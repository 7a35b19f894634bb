/** The SCRAM mechanisms of Kafka, in the order of their numbers, which begin at 1 (KIP-554). */
export const scramMechanisms = ['SCRAM-SHA-256', 'SCRAM-SHA-512'] as const;

/** A SCRAM mechanism. */
export type ScramMechanism = (typeof scramMechanisms)[number];

/** Returns the name of a mechanism; `UNKNOWN_<number>` for one that weir does not know. */
export function scramMechanismOf(code: number): string {
  return scramMechanisms[code - 1] ?? `UNKNOWN_${code}`;
}

/** Returns the number of a mechanism. */
export function scramMechanismCode(mechanism: ScramMechanism): number {
  return scramMechanisms.indexOf(mechanism) + 1;
}
