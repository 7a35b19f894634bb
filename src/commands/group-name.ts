import { invalidError } from '../errors.ts';
import { anyName, type Kind, text } from '../kinds.ts';

/** The name of a group; any text but the empty one, which names no group. */
export const groupName: Kind<string> = { ...anyName, name: 'group', hint: 'GROUP', completes: 'group' };

/** The name of a group or, depending on the flags, a pattern; `checkGroupNames` checks a name. */
export const groupOrPattern: Kind<string> = { ...text, completes: 'group' };

/** Checks group names whose argument may also hold patterns, depending on the flags. */
export function checkGroupNames(names: readonly string[]): void {
  if (names.includes('')) throw invalidError('invalid group name "": it is empty');
}
