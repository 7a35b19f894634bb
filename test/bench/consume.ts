import { openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, layOut, type Result } from './compare.ts';
import { readings, tlsReading, tlsTopic, topicsOf } from './consume-cases.ts';
import { peersOf, type Topic, values } from './consume-contenders.ts';
import { writeLines } from './datasets.ts';
import { verdicts } from './goals.ts';
import type { BenchOptions } from './options.ts';
import { missingPeers } from './peers.ts';
import { type Environment, inWorld, type Place, produceFile, requireWeir, withBroker, withTlsBroker } from './world.ts';

/** Measures reading whole topics: sizes, partitions, codecs, formats, where the output goes, and TLS. */
export function run(options: BenchOptions): Promise<string> {
  return inWorld(async (env) => {
    const topics = topicsOf(options.scale);
    let missing = '';
    const plain = await withBroker(env, async (brokers) => {
      const place = { env, brokers };
      missing = missingPeers(peersOf(topics[0], values, place));
      return await measure(topics, options, place);
    });
    const tls = await overTls(env, options);
    const results = [...plain, ...tls.results];
    return layOut(results) + missing + tls.leftOut + verdicts(results);
  });
}

/** The case that needs its own sandbox; a failure is reported without losing earlier measurements. */
async function overTls(env: Environment, options: BenchOptions) {
  const leftOut = (why: string) => ({ results: [], leftOut: `left out: ${tlsReading} (${why})\n` });
  if (!tlsReading.includes(options.only)) return { results: [], leftOut: '' };
  if (process.env.WEIR_BENCH_BROKERS !== undefined) return leftOut('the brokers that were given are measured alone');
  try {
    const topics = [tlsTopic(options.scale)];
    return { results: await withTlsBroker(env, (place) => measure(topics, options, place)), leftOut: '' };
  } catch (error) {
    return leftOut(String(error).split('\n')[0] ?? '');
  }
}

/** Topic after topic: no more than one of them lies on the disk. */
async function measure(topics: readonly Topic[], options: BenchOptions, place: Place): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const topic of topics) {
    const wanted = readings(topic, place).filter(({ name }) => name.includes(options.only));
    if (wanted.length === 0) continue;
    requireWeir(place, 'topic', 'create', topic.name, '-p', String(topic.partitions));
    try {
      await fill(topic, place);
      results.push(...(await compare(wanted, options)));
    } finally {
      requireWeir(place, 'topic', 'delete', topic.name, '--yes');
    }
  }
  return results;
}

/** Writes the same records into the topic as on every other machine. */
async function fill({ name, records, valueBytes, codec, values = 'words' }: Topic, place: Place): Promise<void> {
  const path = join(tmpdir(), `${name}.txt`);
  try {
    await writeLines(path, { records, valueBytes, keyed: true, values });
    produceFile(place, openSync(path, 'r'), name, '-f', '%k %v\\n', '-z', codec);
  } finally {
    rmSync(path, { force: true });
  }
}
