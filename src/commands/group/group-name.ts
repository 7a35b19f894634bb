import { usageError } from '../../errors.ts';
import type { Kind } from '../../kinds.ts';

/** The name of a group; any text but the empty one, which names no group. */
export const groupName: Kind<string> = {
  name: 'group',
  hint: 'GROUP',
  parse(value) {
    if (value === '') throw new Error('it is empty');
    return value;
  },
  show: (value) => value,
};

/** Checks group names whose argument may also hold patterns, depending on the flags. */
export function checkGroupNames(names: readonly string[]): void {
  if (names.includes('')) throw usageError('invalid group name "": it is empty');
}
