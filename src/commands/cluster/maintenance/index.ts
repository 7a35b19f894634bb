import { noun } from '../../../cli/command.ts';
import { disable } from './disable.ts';
import { enable } from './enable.ts';
import { status } from './status.ts';

/** `cluster maintenance` */
export const maintenance = noun({
  summary: 'Drain a broker before a restart or upgrade, and take it back',
  commands: { enable, disable, status },
});
