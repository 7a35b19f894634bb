import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { reset } from './reset.ts';
import { set } from './set.ts';

/** `registry compatibility-level` */
export const compatibilityLevel = noun({
  summary: 'Show, set and reset compatibility levels',
  commands: { get, set, reset },
});
