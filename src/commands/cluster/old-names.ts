import { noun } from '../../cli/command.ts';
import { hiddenOnes } from '../old-spelling.ts';
import { brokers } from './brokers/index.ts';
import { print } from './config-print.ts';
import { loggers } from './loggers/index.ts';
import { heldPartitions } from './partitions/broker-partitions.ts';

const config = noun({
  summary: 'Look into the configuration and the loggers of one node',
  hidden: true,
  commands: {
    print,
    ...hiddenOnes({ 'log-level': loggers }, (line) =>
      line.replace(/^cluster loggers/, 'redpanda admin config log-level').replace(/ --broker \d/, ' --host 0'),
    ),
  },
});

const commands = hiddenOnes({ brokers }, (line) => line.replace(/^cluster /, 'redpanda admin '));

const partitions = noun({
  summary: 'List the partitions of a broker',
  hidden: true,
  commands: { list: heldPartitions },
});

/**
 * `redpanda`; hidden. `redpanda admin brokers` is rpk's spelling of `cluster brokers`; `redpanda admin config` is about one
 * node, and `redpanda admin partitions` about one broker.
 */
export const oldRedpanda = noun({
  summary: 'Commands about single nodes',
  hidden: true,
  commands: {
    admin: noun({
      summary: 'Commands about single nodes',
      hidden: true,
      commands: { ...commands, partitions, config },
    }),
  },
});
