import { noun } from '../../../cli/command.ts';
import { get } from './get.ts';
import { reset } from './reset.ts';
import { set } from './set.ts';

/** `registry mode` */
export const mode = noun({ summary: 'Show, set and reset modes', commands: { get, set, reset } });
