import { compileFormat } from '../../../../../src/kafka/records/language/format.ts';
import { compileParser } from '../../../../../src/kafka/records/language/parse.ts';
import { produce } from '../../../../../src/kafka/streams/produce/produce.ts';
import { deadlineOf } from '../../../../services/scripted-client.ts';
import { createVirtualClock, type VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { createModelClient } from './model-client.ts';
import { ModelCluster } from './model-cluster.ts';
import { firstOffset } from './model-partition.ts';
import { storm, type Weather, weatherOf } from './weather.ts';

/** How a run ended. */
export interface Outcome {
  readonly seed: number;
  readonly weather: Weather;
  readonly error: Error | undefined;
  readonly warnings: readonly string[];
  /** Violations, one line each. */
  readonly problems: readonly string[];
  readonly records: number;
  /** Acknowledged records that elections removed. */
  readonly lost: number;
}

interface Told {
  readonly value: string;
  readonly partition: number;
  readonly offset: number;
}

const parser = compileParser('%k,%v\\n');
const format = compileFormat('%v %p %o\\n');

/** Produces under the faults of a seed, and checks the logs. */
export async function runSeed(seed: number): Promise<Outcome> {
  const clock = createVirtualClock(seed);
  const { random } = clock;
  const weather = weatherOf(random);
  const cluster = new ModelCluster(clock, weather);
  const deadline = deadlineOf({ retry: 120_000, command: 10_000_000 }, clock);
  const client = createModelClient(cluster, deadline);
  const values = Array.from({ length: 10 + Math.floor(random() * 70) }, (_, index) => `v${index}`);
  const warnings: string[] = [];
  let text = '';
  let error: Error | undefined;
  const work = async (): Promise<void> => {
    const weathering = storm(cluster);
    const production = await produce(client, {
      ...{ topic: 'foo', parser, tombstones: false, key: undefined, headers: [], partition: undefined },
      ...{ compression: 'none', acks: weather.acks, deliveryTimeoutMs: undefined, createMissing: false },
      ...{ maxMessageBytes: 80 + Math.floor(random() * 60), report: format, input: linesOf(values, clock) },
      ...{ onDelivered: () => undefined, warn: (line) => warnings.push(line) },
    });
    const sink = {
      write(chunk: Uint8Array) {
        text += Buffer.from(chunk).toString();
        return undefined;
      },
    };
    await production.pump(sink).catch((failure: unknown) => {
      error = failure instanceof Error ? failure : new Error(String(failure));
    });
    await weathering;
  };
  const problems: string[] = [];
  await clock.runUntil(work()).catch((failure: unknown) => problems.push(String(failure)));
  deadline.dispose();
  const told = text.split('\n').filter(Boolean).map(readTold);
  problems.push(...judge({ cluster, values, told, error, warnings }));
  const lost = cluster.partitions.reduce((sum, partition) => sum + partition.lost.size, 0);
  return { seed, weather, error, warnings, problems, records: values.length, lost };
}

async function* linesOf(values: readonly string[], clock: VirtualClock): AsyncGenerator<Buffer> {
  for (let at = 0; at < values.length; ) {
    const count = 1 + Math.floor(clock.random() * 12);
    const lines = values.slice(at, at + count).map((value) => `k${numberOf(value) % 7},${value}\n`);
    yield Buffer.from(lines.join(''));
    at += count;
    if (clock.random() < 0.5) await clock.sleep(clock.random() * 300);
  }
}

function readTold(line: string): Told {
  const [value = '', partition, offset] = line.split(' ');
  // A broker that reports no offset leaves no number.
  return { value, partition: Number(partition), offset: /^\d+$/.test(offset ?? '') ? Number(offset) : -1 };
}

interface Run {
  readonly cluster: ModelCluster;
  readonly values: readonly string[];
  readonly told: readonly Told[];
  readonly error: Error | undefined;
  readonly warnings: readonly string[];
}

function judge(run: Run): string[] {
  const { cluster, values, told, error } = run;
  const problems: string[] = [];
  const logs = cluster.partitions.map(({ entries }) => entries.flatMap((entry) => entry.values));
  const all = logs.flat();
  if (new Set(all).size !== all.length) problems.push(`repeated: ${repeated(all).join(' ')}`);
  for (const [number, log] of logs.entries()) {
    const numbers = log.map(numberOf);
    const at = numbers.findIndex((value, index) => value < (numbers[index - 1] ?? -1));
    if (at >= 0) problems.push(`partition ${number} out of order at ${log[at]}: ${log.join(' ')}`);
  }
  const reported = told.map(({ value }) => value);
  if (new Set(reported).size !== reported.length) problems.push('reported twice');
  if (error === undefined) {
    if (reported.length !== values.length) problems.push(`${reported.length} reported of ${values.length}`);
    problems.push(...judgeLosses(run, new Set(all)));
  } else problems.push(...judgeFailure(run, error, all));
  problems.push(...judgeOffsets(run, all));
  return problems;
}

function numberOf(value: string): number {
  return Number(value.slice(1));
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/**
 * Only records that an election removed after their acknowledgement may be missing. A warning reports them, unless
 * nothing was written to the partition since, in which case the producer cannot know.
 */
function judgeLosses({ cluster, values, warnings }: Run, present: ReadonlySet<string>): string[] {
  const { acks } = cluster.weather;
  const missing = values.filter((value) => !present.has(value));
  const taken = new Set(cluster.partitions.flatMap(({ lost }) => [...lost]));
  const silent = missing.filter((value) => !taken.has(value));
  if (acks === 0) return [];
  if (silent.length > 0) return [`lost: ${silent.join(' ')}`];
  const passed = cluster.partitions.flatMap(({ lost, entries }) => {
    const last = Math.max(-1, ...entries.flatMap((entry) => entry.values).map(numberOf));
    return [...lost].filter((value) => !present.has(value) && numberOf(value) < last);
  });
  return acks === -1 && passed.length > 0 && warnings.length === 0 ? [`lost, not said: ${passed.join(' ')}`] : [];
}

function judgeFailure({ cluster, told }: Run, error: Error, all: readonly string[]): string[] {
  const { acks, isStrict, isSecretive, elections } = cluster.weather;
  const isAllowed = acks !== -1 || isStrict || (isSecretive && elections !== 'none');
  const problems = isAllowed ? [] : [`failed: ${error.message}`];
  const reported = new Set(told.map(({ value }) => value));
  const unsaid = all.filter((value) => !reported.has(value));
  const said = [...error.message.matchAll(/(\d+) records? of topic/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
  if (unsaid.length > said) problems.push(`${unsaid.length} written and not reported, ${said} called uncertain`);
  return problems;
}

/** A reported offset is the record's own, unless an election moved it since. */
function judgeOffsets({ cluster, told }: Run, all: readonly string[]): string[] {
  if (cluster.weather.elections === 'unclean' || cluster.weather.acks === 0) return [];
  const present = new Set(all);
  return told
    .filter(({ value, offset }) => offset >= firstOffset && present.has(value))
    .filter(({ value, partition, offset }) => {
      const entry = cluster.partitions[partition]?.entries.find(({ values }) => values.includes(value));
      return entry === undefined || entry.base + entry.values.indexOf(value) !== offset;
    })
    .map(({ value, offset }) => `${value} reported at ${offset}`);
}
