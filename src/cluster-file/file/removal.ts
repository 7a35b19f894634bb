import { always, filled, leftOut } from '../../shape/shape.ts';

/** The fields of what is removed by name. */
export const removalFields = {
  absent: leftOut(always(true)),
  because: leftOut(filled),
} as const;

/** Says what is wrong with the fields of a removal. */
export function removalFault(given: { readonly absent?: boolean; readonly because?: string }): string | undefined {
  const others = Object.keys(given).filter((name) => name !== 'absent' && name !== 'because');
  if (given.absent === true && given.because === undefined) return 'a removal needs a reason: because: …';
  if (given.absent === true && others.length > 0) return `what is absent has no ${others.join(', ')}`;
  if (given.absent !== true && given.because !== undefined) return 'because is the reason of absent: true';
  return undefined;
}
