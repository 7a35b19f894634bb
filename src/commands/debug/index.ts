import { noun } from '../../cli/command.ts';
import { remoteBundle } from './remote-bundle/index.ts';

/** `debug` */
export const debug = noun({
  summary: 'Collect debug bundles on the brokers',
  commands: { 'remote-bundle': remoteBundle },
});
