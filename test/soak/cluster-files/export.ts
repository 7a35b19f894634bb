import { parse, stringify } from 'yaml';
import type { Soak } from '../run.ts';
import { converge, findNothing, kafkaScript, randomFile, weir, whole } from './tools.ts';

/**
 * A cluster is exported, emptied, and made again from the export: Kafka's own scripts print the same about it as before.
 */
export async function soak({ brokers, say }: Soak): Promise<void> {
  const prefix = 'soak-export';
  await converge(brokers, randomFile(prefix, 7, 12));
  const quotas = [
    ['--entity-type', 'users', '--entity-name', `${prefix}-a`, '--entity-type', 'clients', '--entity-default'],
    ['--entity-type', 'clients', '--entity-name', `${prefix}-c`],
    ['--entity-type', 'users', '--entity-default'],
  ];
  for (const entity of quotas)
    await kafkaScript(
      brokers,
      'kafka-configs',
      '--alter',
      ...entity,
      '--add-config',
      'producer_byte_rate=12345,request_percentage=12.5',
    );
  await kafkaScript(
    brokers,
    'kafka-acls',
    '--add',
    '--deny-principal',
    'User:*',
    '--deny-host',
    '10.1.2.3',
    '--operation',
    'All',
    '--group',
    `${prefix}-g`,
  );
  const before = await state(brokers);
  const { stdout: exported, exitCode } = await weir(brokers, ['export']);
  if (exitCode !== 0) throw new Error(`export ended with ${exitCode}`);

  await empty(brokers, exported, prefix);
  const nothing = await state(brokers);
  if (Object.values(nothing).some((text) => text.includes(prefix)))
    throw new Error(`the cluster is not empty: ${JSON.stringify(nothing)}`);

  // The passwords of an export are variables to fill in; here, all have the same.
  const filled = exported.replaceAll(/env: \w+/g, 'env: PASSWORD');
  await converge(brokers, filled, []);
  const after = await state(brokers);
  for (const [what, text] of Object.entries(before))
    if (after[what] !== text) throw new Error(`${what} was\n${text}\nand is\n${after[what]}`);
  await findNothing(brokers, filled, ['--strict']);
  await empty(brokers, exported, prefix);
  const lines = Object.values(before).join('\n').split('\n').length;
  say(
    `after apply of an export to the emptied cluster, Kafka's scripts print the same ${lines} lines: ${Object.keys(before).join(', ')}`,
  );
}

/** What Kafka's scripts print, without ids, leaders and places of replicas, and in an order of its own. */
async function state(brokers: string): Promise<Record<string, string>> {
  const configs = async (...types: readonly string[]) =>
    await kafkaScript(brokers, 'kafka-configs', '--describe', ...types.flatMap((type) => ['--entity-type', type]));
  return {
    'kafka-topics --describe': sorted(
      (await kafkaScript(brokers, 'kafka-topics', '--describe')).replaceAll(
        /\t(?:TopicId|Leader|Replicas|Isr|Elr|LastKnownElr): *[^\t\n]*/g,
        '',
      ),
    ),
    'kafka-configs of topics': sorted(await configs('topics')),
    'kafka-configs of groups': sorted(await configs('groups')),
    'kafka-configs of client metrics': sorted(await configs('client-metrics')),
    'kafka-configs of users': sorted(await configs('users')),
    'kafka-configs of clients': sorted(await configs('clients')),
    'kafka-configs of users and clients': sorted(await configs('users', 'clients')),
    'kafka-acls --list': sorted(await kafkaScript(brokers, 'kafka-acls', '--list')),
  };
}

/** The blocks of an output, each a line with the indented ones after it, without groups that have no configs any more. */
function sorted(text: string): string {
  return text
    .split(/\n(?=\S)/)
    .map((block) => {
      const [head = '', ...lines] = block.split('\n').map((line) => inOrder(line.trimEnd()));
      return [head, ...lines.filter((line) => line !== '').toSorted()].join('\n');
    })
    .filter((block) => block !== '' && !/ are:$/.test(block))
    .toSorted()
    .join('\n');
}

/** The list at the end of a line, such as that of the mechanisms of a user, in order. */
function inOrder(line: string): string {
  return line.replace(/ are (.+)$/, (_, list: string) => ` are ${list.split(', ').toSorted().join(', ')}`);
}

/** Deletes what a cluster has, with Kafka's names for what no pattern can own. */
async function empty(brokers: string, exported: string, prefix: string): Promise<void> {
  const { quotas = [] } = parse(exported) as { quotas?: Record<string, unknown>[] };
  const limits = [
    'producer_byte_rate',
    'consumer_byte_rate',
    'request_percentage',
    'controller_mutation_rate',
    'connection_creation_rate',
  ];
  const none = quotas.map((quota) => ({
    ...quota,
    ...Object.fromEntries(limits.filter((limit) => limit in quota).map((limit) => [limit, null])),
  }));
  const owned = parse(randomFile(prefix, 0, 0)) as Record<string, unknown>;
  await converge(brokers, stringify({ ...owned, quotas: none }), whole);
}
