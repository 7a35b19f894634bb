import { noun } from '../../cli/command.ts';
import { hiddenOnes } from '../hidden.ts';
import { brokers } from './brokers/index.ts';
import { heldPartitions } from './partitions/held.ts';

const commands = hiddenOnes({ brokers }, (line) => line.replace(/^cluster /, 'redpanda admin '));

const partitions = noun({
  summary: 'List the partitions of a broker',
  hidden: true,
  commands: { list: heldPartitions },
});

/** `redpanda`, of which `redpanda admin brokers` is rpk's spelling of `cluster brokers`; hidden. */
export const oldRedpanda = noun({
  summary: 'The same as cluster brokers',
  hidden: true,
  commands: {
    admin: noun({ summary: 'The same as cluster brokers', hidden: true, commands: { ...commands, partitions } }),
  },
});
