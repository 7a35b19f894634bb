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
  /** Runs a line that fills the terminal, as it is seen after some milliseconds. */
  watch(line: string, forMs: number): Promise<Screen>;
  /** Runs a line unseen until the work is done. */
  during<T>(line: string, work: () => Promise<T>): Promise<T>;
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

/** Records written to each topic every tenth of a second. */
const load: Readonly<Record<string, number>> = { clicks: 400, orders: 40, payments: 15, emails: 3 };

/** A shell loop that prints that many records again and again; more of them in some seconds. */
function writing(records: number): string {
  const some = `awk -v n=${records} -v at=$at 'BEGIN { n *= 1 + sin(at / 20) / 2; for (i = 0; i < n; i++) print "ana" i % 50, "espresso" }'`;
  return `at=0; while sleep 0.1; do at=$((at + 1)); ${some}; done`;
}

/** The pictures of the README and the guides. */
export const scenes: readonly Scene[] = [
  {
    name: 'minute',
    title: 'The first minute',
    columns: 100,
    async play({ weir, record }) {
      await weir('sandbox', 'start');
      return await record(
        'weir topic create orders -p 3',
        'weir topic produce orders --generate sample -n 100000 --seed 1',
        "weir topic consume orders -n 1 -f '%v\\n'",
        `weir topic search orders --where 'value.country == "Japan" && value.price > 499.9' -f '%k %p:%o\\n'`,
      );
    },
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
    name: 'top',
    title: 'What happens on the cluster',
    columns: 100,
    async play({ weir, during, watch }) {
      await weir('sandbox', 'start');
      const topics = Object.keys(load);
      for (const topic of topics) await weir('topic', 'create', topic, '-p', '6');
      for (const group of ['billing', 'reports', 'search-index'])
        await weir('group', 'seek', group, '--to', 'start', '--topics', 'orders,clicks', '--allow-new-group', '--yes');
      const writers = topics.map(
        (topic) => `${writing(load[topic] ?? 1)} | weir topic produce ${topic} -f '%k %v\\n' -o '' &`,
      );
      const readers = ['billing', 'search-index'].map(
        (group) => `weir topic consume orders clicks -g ${group} > /dev/null &`,
      );
      return await during(`${[...writers, ...readers].join('\n')}\nwait`, () => watch('weir top', 60_000));
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
];
