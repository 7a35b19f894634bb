import type { Kind } from '../kinds.ts';
import { optionKeys } from './options.ts';

/** The key of an option, or the first parts of one; checked where it is used, so that it can name the nearest. */
export const optionKey: Kind<string> = {
  name: 'option key',
  hint: 'KEY',
  choices: optionKeys,
  parse: (value) => value,
  show: (value) => value,
};
