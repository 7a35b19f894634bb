import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare, layOut, type Result } from './compare.ts';
import { writeLines } from './datasets.ts';
import { faster, verdicts } from './goals.ts';
import { type Contender, isInstalled } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { orderOf } from './order-schema.ts';
import { withRegistry } from './schemas.ts';
import { inWorld, node, type Place, produceFile, requireWeir, weir, withBroker } from './world.ts';

/** Measures finding few records among many, compared with programs that print all of them into a filter. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld((env) =>
    withRegistry((registry) =>
      withBroker(env, async (brokers) => {
        const place = { env: { ...env, WEIR_REGISTRY_HOSTS: registry }, brokers };
        const results: Result[] = [];
        for (const search of searches(options.scale)) {
          if (!search.name.includes(options.only)) continue;
          requireWeir(place, 'topic', 'create', search.topic);
          try {
            await search.fill(place);
            results.push(...(await compare([caseOf(search, place, registry)], options)));
          } finally {
            requireWeir(place, 'topic', 'delete', search.topic, '--yes');
          }
        }
        return layOut(results) + verdicts(results);
      }),
    ),
  );
}

interface Search {
  readonly name: string;
  readonly topic: string;
  readonly records: number;
  /** How weir finds the records. */
  readonly flags: readonly string[];
  /** The filter that others print all values into. */
  readonly filter: string;
  /** A quick filter that is not exact, for weir itself. */
  readonly grep?: string;
  readonly isAvro?: boolean;
  readonly goals: Case['goals'];
  fill(place: Place): void | Promise<void>;
}

const needle = 'needle-4711';

function searches(scale: number): readonly Search[] {
  const [lines, objects] = [Math.ceil(3_000_000 * scale), Math.ceil(1_000_000 * scale)];
  const topic = (name: string) => `bench-search-${process.pid}-${name}`;
  const found = '.status == "CHARGEBACK"';
  const customer = '.customer == "customer 17"';
  const jsonCase = (codec: string): Search => ({
    name: `a field of ${objects} JSON values, ${codec}`,
    topic: topic(`json-${codec}`),
    records: objects,
    flags: ['--where', `value${found}`],
    filter: `jq -c 'select(${found})'`,
    grep: 'grep -F CHARGEBACK',
    goals: [faster('kcat, jq', 10)],
    fill: (place) => fillWith(place, topic(`json-${codec}`), { records: objects, make: paymentOf }, ['-z', codec]),
  });
  return [
    {
      name: `a text in ${lines} values of 100 B`,
      topic: topic('text'),
      records: lines + 1,
      flags: ['--contains', needle],
      filter: `grep -F ${needle}`,
      grep: `grep -F ${needle}`,
      goals: [faster('rpk, grep', 7)],
      fill: (place) => fillWithText(place, topic('text'), lines),
    },
    jsonCase('none'),
    jsonCase('lz4'),
    {
      name: `a field of ${objects} Avro values`,
      topic: topic('avro'),
      records: objects,
      flags: ['--where', `value${customer}`, '--use-schema-registry=value'],
      filter: `jq -c 'select(${customer})'`,
      isAvro: true,
      goals: [faster('rpk, jq', 4)],
      fill: (place) =>
        fillWith(place, topic('avro'), { records: objects, make: orderOf }, ['--schema-id', '1', '-z', 'none']),
    },
  ];
}

function caseOf(search: Search, { env, brokers }: Place, registry: string): Case {
  const { name, topic, records, flags, filter, grep, isAvro = false, goals = [] } = search;
  const [tool = ''] = filter.split(' ');
  const piped = (program: string, line: string, through = filter): readonly Contender[] =>
    isInstalled(program) && isInstalled(tool)
      ? [{ name: `${program}, ${through.split(' ')[0]}`, file: 'sh', args: ['-c', `${line} | ${through}`], env }]
      : [];
  const rpk = `rpk topic consume ${topic} -X brokers=${brokers} -o :end -f '%v\\n'`;
  const decoded = isAvro ? ` --use-schema-registry=value -X registry.hosts=${registry.replace('http://', '')}` : '';
  const own = `${node} ${weir} topic consume ${topic} -o :end -f '%v\\n' -X brokers=${brokers}`;
  return {
    name,
    goals,
    contenders: [
      {
        name: 'weir',
        file: node,
        args: [weir, 'topic', 'search', topic, ...flags, '-f', '%v\\n', '-X', `brokers=${brokers}`],
        env,
      },
      ...(grep === undefined ? [] : [{ name: 'weir, grep', file: 'sh', args: ['-c', `${own} | ${grep}`], env }]),
      ...piped('rpk', rpk + decoded),
      // With -e, kcat would wait half a second for more at the end.
      ...(isAvro ? [] : piped('kcat', `kcat -C -q -b ${brokers} -t ${topic} -o beginning -c ${records} -f '%s\\n'`)),
    ],
  };
}

/** A value of about 177 bytes; twenty in a million were charged back. */
function paymentOf(at: number): unknown {
  return {
    id: at,
    status: at % 50_000 === 4711 ? 'CHARGEBACK' : ['PAID', 'OPEN', 'REFUNDED'][at % 3],
    amount: (at % 100_000) / 100,
    currency: 'EUR',
    customer: { id: at % 9973, name: `customer ${at % 9973}`, country: 'DE' },
    items: at % 40,
    note: 'leave it at the back door please',
  };
}

interface Objects {
  readonly records: number;
  make(at: number): unknown;
}

function fillWith(place: Place, topic: string, { records, make }: Objects, flags: readonly string[]): void {
  inFile((path) => {
    const file = openSync(path, 'w');
    for (let at = 0; at < records; at++) writeSync(file, `${JSON.stringify(make(at))}\n`);
    closeSync(file);
    produceFile(place, openSync(path, 'r'), topic, ...flags);
  });
}

/** The text is in one record, after the middle. */
async function fillWithText(place: Place, topic: string, records: number): Promise<void> {
  const half = { records: Math.ceil(records / 2), valueBytes: 100, keyed: false };
  const path = join(tmpdir(), `${topic}.txt`);
  try {
    await writeLines(path, half);
    produceFile(place, openSync(path, 'r'), topic, '-z', 'none');
    inFile((one) => {
      const file = openSync(one, 'w');
      writeSync(file, `order=1;${needle};paid=2\n`);
      closeSync(file);
      produceFile(place, openSync(one, 'r'), topic, '-z', 'none');
    });
    produceFile(place, openSync(path, 'r'), topic, '-z', 'none');
  } finally {
    rmSync(path, { force: true });
  }
}

function inFile(work: (path: string) => void): void {
  const directory = mkdtempSync(join(tmpdir(), 'weir-bench-'));
  try {
    work(join(directory, 'records'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
