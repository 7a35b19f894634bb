import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMisnamingProxy } from './misnaming-proxy.ts';
import type { Screen } from './record.ts';

/** Where a scene is played. */
export interface Machine {
  readonly directory: string;
  /** Runs weir unseen and returns its standard output. */
  weir(...args: readonly string[]): Promise<string>;
  /** Runs lines that are seen. */
  record(...lines: readonly string[]): Promise<Screen>;
}

/** A picture and how it comes about. */
interface Scene {
  readonly name: string;
  readonly title: string;
  readonly columns: number;
  play(machine: Machine): Promise<Screen>;
}

const order = {
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  fields: [
    { name: 'customer', type: 'string' },
    { name: 'item', type: 'string' },
    { name: 'quantity', type: 'int' },
    { name: 'price', type: 'double' },
  ],
};

/** The pictures of the README. */
export const scenes: readonly Scene[] = [
  {
    name: 'first-session',
    title: 'A first session',
    columns: 104,
    play: ({ record }) =>
      record(
        'weir sandbox start',
        'weir topic create orders -p 3',
        "echo 'ana 2 espressi' | weir topic produce orders -f '%k %v\\n'",
        "weir topic consume orders -n 1 -f '%k ordered %v\\n'",
        'weir topic list',
        'weir config show brokers globals.command_timeout',
      ),
  },
  {
    name: 'schemas',
    title: 'Records with schemas',
    columns: 96,
    async play({ directory, weir, record }) {
      writeFileSync(join(directory, 'order.avsc'), JSON.stringify(order));
      const orders = [
        { customer: 'ana', item: 'espresso', quantity: 2, price: 5.2 },
        { customer: 'ben', item: 'flat white', quantity: 1, price: 3.9 },
      ];
      writeFileSync(join(directory, 'orders.json'), orders.map((one) => `${JSON.stringify(one)}\n`).join(''));
      writeFileSync(
        join(directory, 'late-order.json'),
        '{"customer":"eve","item":"tea","quantity":"two","price":2.4}\n',
      );
      await weir('sandbox', 'start', '--registry');
      await weir('topic', 'create', 'orders');
      return await record(
        'weir registry schema create orders-value --schema order.avsc',
        'weir topic produce orders --schema-id topic < orders.json',
        "weir topic consume orders -o :end --use-schema-registry -f '%p/%o %v\\n'",
        'cat late-order.json',
        'weir topic produce orders --schema-id topic < late-order.json',
      );
    },
  },
  {
    name: 'doctor',
    title: 'Why does it not connect?',
    columns: 104,
    async play({ weir, record }) {
      const started = await weir('sandbox', 'start', '--format', 'json');
      const [broker = ''] = /127\.0\.0\.1:\d+/.exec(started) ?? [];
      await weir('topic', 'create', 'orders');
      await using proxy = await startMisnamingProxy(broker, 'kafka-one', 29_092);
      await weir('profile', 'create', 'docker', '--set', `brokers=${proxy.address}`);
      return await record("weir topic consume orders -n 1 -f '%v\\n'", 'weir doctor');
    },
  },
  {
    name: 'byoc',
    title: 'A cluster in your own cloud account (simulated control plane)',
    columns: 100,
    async play({ weir, record }) {
      await weir('sandbox', 'start', '--cloud', '--engine', 'simulated');
      await weir('cloud', 'resource-group', 'create', 'dev');
      const group = idOf(await weir('cloud', 'resource-group', 'list', '--format', 'json'));
      const place = ['--resource-group-id', group, '--cloud-provider', 'gcp', '--region', 'us-central1'];
      const byoc = ['--cidr-block', '10.0.0.0/20', '--cluster-type', 'byoc'];
      await weir('cloud', 'network', 'create', '--name', 'net', ...byoc, ...place);
      const network = idOf(await weir('cloud', 'network', 'list', '--format', 'json'));
      const zones = 'us-central1-a,us-central1-b,us-central1-c';
      return await record(
        [
          'weir cloud cluster create --name first --type byoc --cloud-provider gcp --region us-central1 \\',
          `    --resource-group-id ${group} \\`,
          `    --network-id ${network} --zones ${zones} \\`,
          '    --throughput-tier tier-1-gcp-v2-x86 --apply --project-id my-project',
        ].join('\n'),
        'weir cloud cluster list',
      );
    },
  },
];

function idOf(json: string): string {
  const [row] = JSON.parse(json) as readonly { readonly id: string }[];
  if (row === undefined) throw new Error('what was created is not listed');
  return row.id;
}
