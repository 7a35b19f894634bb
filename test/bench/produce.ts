import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Report } from './compare.ts';
import { writeLines } from './datasets.ts';
import { compareOnBroker } from './on-broker.ts';
import type { BenchOptions } from './options.ts';
import { type Place, requireWeir } from './world.ts';
import { type Load, writers } from './writers.ts';

/** Measures writing a file of lines to a topic, acknowledged by all replicas. */
export function run(options: BenchOptions): Promise<Report> {
  return compareOnBroker(options, (place) => loadsOf(options.scale).map((load) => caseOf(load, place)));
}

function loadsOf(scale: number): readonly Load[] {
  const small = { records: Math.ceil(1_000_000 * scale), valueBytes: 100, keyed: false, partitions: 1, codec: 'none' };
  const large = { ...small, records: Math.ceil(300_000 * scale), valueBytes: 1024 };
  const [million, third] = [small, large].map(({ records }) => records.toLocaleString('en-US'));
  return [
    { ...small, name: `${million} values of 100 bytes`, quoted: 'write a million records' },
    { ...small, name: '… with keys, to 6 partitions', partitions: 6, keyed: true },
    { ...small, name: '… compressed with zstd', codec: 'zstd' },
    { ...large, name: `${third} JSON objects of 1 KiB`, values: 'json' },
  ];
}

function caseOf(load: Load, place: Place): Case {
  const topic = `bench-produce-${process.pid}`;
  const path = join(tmpdir(), topic);
  let made = false;
  const remove = (): void => {
    if (made) requireWeir(place, 'topic', 'delete', topic, '--yes');
    made = false;
  };
  return {
    name: load.name,
    ...(load.quoted === undefined ? {} : { quoted: load.quoted }),
    input: path,
    begin: () => writeLines(path, load),
    end() {
      rmSync(path, { force: true });
      remove();
    },
    contenders: writers(load, topic, place),
    // A new topic for every run, so that no program is affected by another's records.
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', topic, '-p', String(load.partitions));
      made = true;
    },
  };
}
