import { openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare, type Report, type Result } from './compare.ts';
import { writeLines, writeObjects } from './datasets.ts';
import { mediansTable } from './markdown.ts';
import { type Contender, isInstalled } from './measure.ts';
import type { BenchOptions } from './options.ts';
import { orderOf } from './order-schema.ts';
import { withRegistry } from './registry.ts';
import { inWorld, type Place, produceFile, requireWeir, weirs, withBroker } from './world.ts';

/** Measures finding few records among many, compared with programs that print all of them into a filter. */
export function run(options: BenchOptions): Promise<Report> {
  return inWorld((env) =>
    withRegistry((registry) =>
      withBroker(env, async (brokers) => {
        const place = { env: { ...env, WEIR_REGISTRY_HOSTS: registry }, brokers };
        const results: Result[] = [];
        for (const search of searches(options.scale)) {
          if (!search.name.includes(options.only)) continue;
          requireWeir(place, 'topic', 'create', topic);
          try {
            await inFile((path) => search.fill(place, path));
            results.push(...(await compare([caseOf(search, place, registry)], options)));
          } finally {
            requireWeir(place, 'topic', 'delete', topic, '--yes');
          }
        }
        return { results, text: '', page: mediansTable(results, 's') };
      }),
    ),
  );
}

interface Search {
  readonly name: string;
  readonly quoted?: string;
  readonly records: number;
  /** How weir finds the records. */
  readonly flags: readonly string[];
  /** The filter that others print all values into. */
  readonly filter: string;
  readonly isAvro?: boolean;
  fill(place: Place, path: string): Promise<void>;
}

const topic = `bench-search-${process.pid}`;
const needle = 'needle-4711';

function searches(scale: number): readonly Search[] {
  const [lines, objects] = [Math.ceil(3_000_000 * scale), Math.ceil(1_000_000 * scale)];
  const found = '.status == "CHARGEBACK"';
  const customer = '.customer == "customer 17"';
  const fillWith =
    (make: (at: number) => unknown, ...flags: string[]) =>
    async (place: Place, path: string) => {
      await writeObjects(path, { records: objects, make });
      produceFile(place, openSync(path, 'r'), topic, ...flags, '-z', 'none');
    };
  return [
    {
      name: `a text in ${lines.toLocaleString('en-US')} values of 100 bytes`,
      records: lines + 1,
      flags: ['--contains', needle],
      filter: `grep -F ${needle}`,
      fill: (place, path) => fillWithText(place, path, lines),
    },
    {
      name: `a field in ${objects.toLocaleString('en-US')} JSON objects`,
      quoted: 'find a field in a million JSON objects',
      records: objects,
      flags: ['--where', `value${found}`],
      filter: `jq -c 'select(${found})'`,
      fill: fillWith(paymentOf),
    },
    {
      name: `a field in ${objects.toLocaleString('en-US')} Avro records`,
      records: objects,
      flags: ['--where', `value${customer}`, '--use-schema-registry=value'],
      filter: `jq -c 'select(${customer})'`,
      isAvro: true,
      fill: fillWith(orderOf, '--schema-id', '1'),
    },
  ];
}

function caseOf(search: Search, { env, brokers }: Place, registry: string): Case {
  const { name, quoted, records, flags, filter, isAvro = false } = search;
  const [tool = ''] = filter.split(' ');
  const piped = (program: string, line: string): readonly Contender[] =>
    isInstalled(program) && isInstalled(tool)
      ? [{ name: program, file: 'sh', args: ['-c', `${line} | ${filter}`], env }]
      : [];
  const rpk = `rpk topic consume ${topic} -X brokers=${brokers} -o :end -f '%v\\n'`;
  const decoded = isAvro ? ` --use-schema-registry=value -X registry.hosts=${registry.replace('http://', '')}` : '';
  return {
    name,
    ...(quoted === undefined ? {} : { quoted }),
    contenders: [
      ...weirs(['topic', 'search', topic, ...flags, '-f', '%v\\n', '-X', `brokers=${brokers}`], env),
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

/** The text is in one record, after the middle. */
async function fillWithText(place: Place, path: string, records: number): Promise<void> {
  const produce = (): void => produceFile(place, openSync(path, 'r'), topic, '-z', 'none');
  const half = { records: Math.ceil(records / 2), valueBytes: 100, keyed: false };
  await writeLines(path, half);
  produce();
  writeFileSync(path, `order=1;${needle};paid=2\n`);
  produce();
  await writeLines(path, half);
  produce();
}

async function inFile(work: (path: string) => Promise<void>): Promise<void> {
  const path = join(tmpdir(), topic);
  try {
    await work(path);
  } finally {
    rmSync(path, { force: true });
  }
}
