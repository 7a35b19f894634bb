import { openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, compare, type Report, type Result } from './compare.ts';
import { type LinesShape, writeLines, writeObjects } from './datasets.ts';
import { mediansTable } from './markdown.ts';
import type { BenchOptions } from './options.ts';
import { orderOf } from './order-schema.ts';
import { decoded, json, type Layout, lines, readers } from './readers.ts';
import { withRegistry } from './registry.ts';
import { inWorld, type Place, produceFile, requireWeir, withBroker, withTlsBroker } from './world.ts';

/** A topic, how it is filled, and in which ways it is read. */
interface Shelf {
  readonly name: string;
  readonly records: number;
  readonly partitions?: number;
  fill(path: string): Promise<void>;
  /** How it is produced. */
  readonly flags: readonly string[];
  readonly ways: readonly Way[];
}

interface Way {
  readonly name: string;
  readonly layout: Layout;
  readonly quoted?: string;
}

/** Measures reading whole topics. */
export function run(options: BenchOptions): Promise<Report> {
  return inWorld((env) =>
    withRegistry(async (registry) => {
      const at = { ...env, WEIR_REGISTRY_HOSTS: registry };
      const plain = await withBroker(at, (brokers) =>
        measure(shelves(options.scale, registry), { env: at, brokers }, options),
      );
      // Brokers of one's own are measured alone.
      const isOwn = process.env.WEIR_BENCH_BROKERS !== undefined;
      const tls = isOwn ? [] : await withTlsBroker(env, (place) => measure([tlsShelf(options.scale)], place, options));
      const results = [...plain, ...tls];
      return { results, text: '', page: mediansTable(results, 's') };
    }),
  );
}

function shelves(scale: number, registry: string): readonly Shelf[] {
  const [million, large, avro] = [1_000_000, 300_000, 300_000].map((records) => Math.ceil(records * scale)) as [
    number,
    number,
    number,
  ];
  const small = { records: million, valueBytes: 100 };
  return [
    textShelf('plain', small, [
      { name: `${countOf(million)} values of 100 bytes`, layout: lines },
      { name: '… as JSON, with keys and times', layout: json, quoted: 'print a million records as JSON' },
    ]),
    { ...textShelf('spread', small, [{ name: '… in 6 partitions', layout: lines }]), partitions: 6 },
    { ...textShelf('zstd', small, [{ name: '… compressed with zstd', layout: lines }]), flags: keyed('zstd') },
    textShelf('large', { records: large, valueBytes: 1024, values: 'json' }, [
      { name: `${countOf(large)} JSON objects of 1 KiB`, layout: lines },
    ]),
    {
      name: 'avro',
      records: avro,
      fill: (path) => writeObjects(path, { records: avro, make: orderOf }),
      flags: ['--schema-id', '1', '-z', 'none'],
      ways: [{ name: `${countOf(avro)} Avro records, decoded to JSON`, layout: decoded(registry) }],
    },
  ];
}

function tlsShelf(scale: number): Shelf {
  const shape = { records: Math.ceil(1_000_000 * scale), valueBytes: 100 };
  return textShelf('tls', shape, [{ name: `${countOf(shape.records)} values of 100 bytes, over TLS`, layout: lines }]);
}

function textShelf(name: string, shape: Omit<LinesShape, 'keyed'>, ways: readonly Way[]): Shelf {
  const fill = (path: string): Promise<void> => writeLines(path, { ...shape, keyed: true });
  return { name, records: shape.records, fill, flags: keyed('none'), ways };
}

function keyed(codec: string): readonly string[] {
  return ['-f', '%k %v\\n', '-z', codec];
}

function countOf(records: number): string {
  return records.toLocaleString('en-US');
}

/** Topic after topic: no more than one of them lies on the disk. */
async function measure(shelves: readonly Shelf[], place: Place, options: BenchOptions): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { name, records, partitions = 1, fill, flags, ways } of shelves) {
    const topic = `bench-consume-${process.pid}-${name}`;
    const cases = ways.map(
      ({ layout, ...way }): Case => ({ ...way, contenders: readers({ name: topic, records }, layout, place) }),
    );
    if (!cases.some((one) => one.name.includes(options.only))) continue;
    const path = join(tmpdir(), topic);
    requireWeir(place, 'topic', 'create', topic, '-p', String(partitions));
    try {
      await fill(path);
      produceFile(place, openSync(path, 'r'), topic, ...flags);
      results.push(...(await compare(cases, options)));
    } finally {
      rmSync(path, { force: true });
      requireWeir(place, 'topic', 'delete', topic, '--yes');
    }
  }
  return results;
}
