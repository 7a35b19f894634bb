/** The keys and indexes on the way from the whole value to a part of it. */
export type ValuePath = readonly (string | number)[];

/** Shows a path such as `$.orders[3].price`. */
export function showPath(path: ValuePath): string {
  return `$${path.map(showStep).join('')}`;
}

function showStep(step: string | number): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[\p{L}_$][\p{L}\p{Nd}_$]*$/u.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
