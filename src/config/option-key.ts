import type { Kind } from '../kinds.ts';
import { optionKeys } from './options.ts';

/** The key of an option, or its first parts. The command that uses it checks it and suggests the nearest key. */
export const optionKey: Kind<string> = {
  name: 'option key',
  hint: 'KEY',
  choices: optionKeys,
  parse: (value) => value,
  show: (value) => value,
};
