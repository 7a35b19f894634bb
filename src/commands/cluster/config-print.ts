import { flag } from '../../cli/command.ts';
import { getCommand } from '../../cli/forms/read.ts';
import { text } from '../../kinds.ts';
import { object } from '../../shape/shape.ts';

/** `redpanda admin config print` */
export const print = getCommand({
  summary: 'Print the cluster properties that one node uses',
  description: `Prints every cluster property with the value that the node itself uses, which may be older than that of the cluster. The
node hides its secrets. For the configuration of the cluster, see cluster config get and list.`,
  examples: [
    ['Of the first node in admin.hosts', 'redpanda admin config print --host 0'],
    ['Of a node by its address, for a script', 'redpanda admin config print --host 127.0.0.1 --format json'],
  ],
  aliases: ['dump', 'list', 'ls', 'display'],
  hidden: true,
  apis: ['admin'],
  flags: {
    host: flag(
      { ...text, name: 'host', hint: 'HOST' },
      { help: 'the node: an address in admin.hosts, or its place there, from 0', required: true },
    ),
  },
  row: object,
  async read(context, { host }) {
    return await (await context.admin()).nodeConfig(host);
  },
  text: (config) => `${JSON.stringify(config, undefined, 2)}\n`,
});
