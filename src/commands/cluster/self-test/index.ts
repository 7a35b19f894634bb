import { noun } from '../../../cli/command.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

/** `cluster self-test` */
export const selfTest = noun({
  summary: 'Measure the disks, the network and the object storage of the brokers',
  commands: { start, status, stop },
});
