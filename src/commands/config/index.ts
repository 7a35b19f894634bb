import { noun } from '../../cli/command.ts';
import { explain } from './explain.ts';
import { show } from './show.ts';

/** `config` */
export const config = noun({
  summary: 'Show the configuration in use and where each value comes from',
  commands: { show, explain },
});
