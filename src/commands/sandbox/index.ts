import { noun } from '../../cli/command.ts';
import { list } from './list.ts';
import { logs } from './logs.ts';
import { purge } from './purge.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

/** `sandbox` */
export const sandbox = noun({
  summary: 'Run a real or simulated Kafka on this machine',
  commands: { start, status, list, logs, stop, purge },
});
