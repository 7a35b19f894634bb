import { noun } from '../../cli/command.ts';
import { hiddenOnes } from '../hidden.ts';
import { brokers } from './brokers/index.ts';

const commands = hiddenOnes({ brokers }, (line) => line.replace(/^cluster /, 'redpanda admin '));

/** `redpanda`, of which `redpanda admin brokers` is rpk's spelling of `cluster brokers`; hidden. */
export const oldRedpanda = noun({
  summary: 'The same as cluster brokers',
  hidden: true,
  commands: { admin: noun({ summary: 'The same as cluster brokers', hidden: true, commands }) },
});
