import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { set } from './set.ts';

/** `registry compatibility-level` */
export const compatibilityLevel = noun({ summary: 'Show and set compatibility levels', commands: { get, set } });
