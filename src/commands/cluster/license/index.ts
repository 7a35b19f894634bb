import { noun } from '../../../cli/command.ts';
import { info } from './info.ts';
import { set } from './set.ts';

/** `cluster license` */
export const license = noun({
  summary: 'Show the license of the cluster, or load another one',
  commands: { info, set },
});
