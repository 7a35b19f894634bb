/** Why records could not be decided. */
export interface Faults {
  /** The first of them, and why; undefined if there is none. */
  readonly first: string | undefined;
  /** What to do about them, if it is the same for all. */
  readonly advice: string | undefined;
}

/** No record that could not be decided. */
export const noFaults: Faults = { first: undefined, advice: undefined };

/** Adds a record with its advice; `describe` says which record it is, and is only called for the first one. */
export function addFault(faults: Faults, advice: string | undefined, describe: () => string): Faults {
  const { first } = faults;
  if (first === undefined) return { first: describe(), advice };
  return faults.advice === advice ? faults : { first, advice: undefined };
}

/** Adds later faults to earlier ones. */
export function joinFaults(earlier: Faults, { first, advice }: Faults): Faults {
  return first === undefined ? earlier : addFault(earlier, advice, () => first);
}
