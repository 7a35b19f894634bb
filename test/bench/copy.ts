import { openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Case, Report } from './compare.ts';
import { writeLines } from './datasets.ts';
import type { Contender } from './measure.ts';
import { compareOnBroker } from './on-broker.ts';
import type { BenchOptions } from './options.ts';
import { present } from './peers.ts';
import { type Place, produceFile, requireWeir, weir, weirs } from './world.ts';

/** A topic to copy. */
interface Load {
  readonly name: string;
  readonly quoted?: string;
  readonly records: number;
  readonly codec: string;
  /** The size of the batches that the topic has. */
  readonly batch: string;
}

const source = `bench-copy-${process.pid}`;
const target = `${source}-to`;

/** Measures copying a topic to another one of the same broker. */
export function run(options: BenchOptions): Promise<Report> {
  return compareOnBroker(options, (place) => loadsOf(options.scale).map((load) => caseOf(load, place)));
}

function loadsOf(scale: number): readonly Load[] {
  const [many, some] = [3_000_000, 1_000_000].map((records) => Math.ceil(records * scale)) as [number, number];
  return [
    {
      name: `${many.toLocaleString('en-US')} records of 100 bytes`,
      quoted: 'copy 3 million records to another topic',
      records: many,
      codec: 'none',
      // As Kafka's own producer writes them unless it is configured otherwise.
      batch: '16KB',
    },
    { name: `${some.toLocaleString('en-US')}, compressed with zstd`, records: some, codec: 'zstd', batch: '1MB' },
  ];
}

function caseOf({ name, quoted, records, codec, batch }: Load, place: Place): Case {
  const path = join(tmpdir(), source);
  let made = false;
  const remove = (): void => {
    if (made) requireWeir(place, 'topic', 'delete', target, '--yes');
    made = false;
  };
  return {
    name,
    ...(quoted === undefined ? {} : { quoted }),
    async begin() {
      await writeLines(path, { records, valueBytes: 100, keyed: true });
      requireWeir(place, 'topic', 'create', source, '-p', '1');
      produceFile(place, openSync(path, 'r'), source, '-f', '%k %v\\n', '-z', codec, '--max-message-bytes', batch);
      rmSync(path, { force: true });
    },
    end() {
      remove();
      requireWeir(place, 'topic', 'delete', source, '--yes');
    },
    contenders: copiers(place),
    prepare() {
      remove();
      requireWeir(place, 'topic', 'create', target, '-p', '1');
      made = true;
    },
  };
}

/** Weir, and pipes that carry keys and values, whatever is in them, but neither headers nor timestamps. */
function copiers({ env, brokers }: Place): readonly Contender[] {
  const args = ['topic', 'copy', source, target, '-X', `brokers=${brokers}`];
  const layout = '%K{big32}%V{big32}%k%v';
  const rpk = `rpk topic consume ${source} -X brokers=${brokers} -o :end -f '${layout}' | rpk topic produce ${target} -X brokers=${brokers} -f '${layout}' -o ''`;
  const kcat = `kcat -C -q -e -o beginning -b ${brokers} -t ${source} -K ' ' | kcat -P -b ${brokers} -t ${target} -K ' '`;
  const pipes = present([
    { name: 'rpk', file: 'rpk', args: ['-c', rpk], env },
    { name: 'kcat', file: 'kcat', args: ['-c', kcat], env },
  ]);
  return [
    ...weirs(args, env),
    { name: 'weir, exactly once', file: weir, args: [...args, '--exactly-once'], env },
    ...pipes.map((pipe) => ({ ...pipe, file: 'sh' })),
  ];
}
