import { noun } from '../../../cli/command.ts';
import { generate } from './generate.ts';

/** `shadow config` */
export const config = noun({
  summary: 'Make the configuration file of a shadow link',
  commands: { generate },
});
