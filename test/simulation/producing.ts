import { compileFormat } from '../../src/kafka/records/language/format.ts';
import { compileParser } from '../../src/kafka/records/language/parse.ts';
import { produce } from '../../src/kafka/streams/produce/produce.ts';
import type { ProduceRequest } from '../../src/kafka/streams/produce/request.ts';
import type { Commanded, SignalAt } from './commanding.ts';
import type { SimulatedClient, World } from './world.ts';

/** The plan of a simulated producer. */
export interface ProducePlan
  extends Pick<ProduceRequest, 'acks' | 'compression' | 'deliveryTimeoutMs' | 'maxMessageBytes'> {
  readonly topic: string;
  readonly records: number;
  /** Whether records have keys, which determine their partitions. */
  readonly hasKeys: boolean;
  /** The maximum number of records that arrive together. */
  readonly burst: number;
  /** The longest pause between two bursts, in milliseconds. */
  readonly pauseMs: number;
  /** Headers of all records. */
  readonly headers?: ProduceRequest['headers'];
  /** The signals to a producer that is a whole command; undefined for one without the layers of the command line. */
  readonly signals?: readonly SignalAt[];
}

/** A record in the report of a production. */
export interface Acknowledged {
  readonly value: string;
  readonly partition: number;
  /** -1 when the broker did not return the offset. */
  readonly offset: number;
}

/** The result of a production. */
export interface Produced {
  /** The name of the client. */
  readonly name: string;
  readonly plan: ProducePlan;
  /** All values in input order. */
  readonly values: readonly string[];
  readonly acknowledged: readonly Acknowledged[];
  readonly warnings: readonly string[];
  /** The number of records reported as delivered to the client. */
  readonly delivered: number;
  /** The error of a failed production; undefined otherwise. */
  readonly error: unknown;
  /** Undefined for a producer without the layers of the command line. */
  readonly command?: Commanded;
}

/** Returns the values that a producer is given, in input order. */
export function valuesOf(name: string, { records }: ProducePlan): readonly string[] {
  return Array.from({ length: records }, (_, index) => `${name}-${String(index).padStart(5, '0')}`);
}

/**
 * Runs a production to its end. Never rejects.
 * @param onReport called with the number of records that are reported at that time
 */
export async function runProduce(
  world: World,
  simulated: SimulatedClient,
  plan: ProducePlan,
  onReport: (records: number) => void = () => undefined,
): Promise<Produced> {
  const { client, name } = simulated;
  const values = valuesOf(name, plan);
  const warnings: string[] = [];
  let report = '';
  let delivered = 0;
  let error: unknown;
  try {
    const production = await produce(client, {
      ...{ topic: plan.topic, tombstones: false, key: undefined, headers: plan.headers ?? [], partition: undefined },
      ...{ acks: plan.acks, compression: plan.compression, deliveryTimeoutMs: plan.deliveryTimeoutMs },
      ...{ maxMessageBytes: plan.maxMessageBytes, createMissing: false, report: compileFormat('%v %p %o\\n') },
      parser: compileParser(plan.hasKeys ? '%k %v\\n' : '%v\\n'),
      input: openInput(world, values, plan, simulated.clock).chunks,
      onDelivered(records) {
        delivered += records;
      },
      warn: (line) => {
        warnings.push(line);
        world.tell(`${name} warns: ${line}`);
      },
    });
    await production.pump({
      write(chunk) {
        const text = Buffer.from(chunk).toString();
        report += text;
        onReport(text.split('\n').length - 1);
        return undefined;
      },
    });
  } catch (thrown) {
    error = thrown;
    world.tell(`${name} fails: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  simulated.close();
  return { name, plan, values, acknowledged: readReport(report), warnings, delivered, error };
}

/** The input of a producer, in bursts. */
export interface BurstInput {
  readonly chunks: AsyncIterable<Buffer>;
  /** The number of records that were taken out of it. */
  given(): number;
}

/** Opens an input that gives nothing any more once its reader has closed it. */
export function openInput(
  { clock }: World,
  values: readonly string[],
  plan: ProducePlan,
  process?: SimulatedClient['clock'],
): BurstInput {
  const end = { done: true, value: undefined } as const;
  let at = 0;
  let isClosed = false;
  const chunks: AsyncIterator<Buffer> = {
    async next() {
      if (at > 0) await clock.sleep(clock.random() * plan.pauseMs);
      await process?.running();
      if (isClosed || at >= values.length) return end;
      const count = 1 + Math.floor(clock.random() * plan.burst);
      const lines = values
        .slice(at, at + count)
        .map((value, index) => `${plan.hasKeys ? `k${(at + index) % 7} ` : ''}${value}\n`);
      at += lines.length;
      return { done: false, value: Buffer.from(lines.join('')) };
    },
    async return() {
      isClosed = true;
      return end;
    },
  };
  return { chunks: { [Symbol.asyncIterator]: () => chunks }, given: () => at };
}

/** Reads what a producer has printed about its records. */
export function readReport(text: string): readonly Acknowledged[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [value = '', partition, offset] = line.split(' ');
      return { value, partition: Number(partition), offset: Number(offset) };
    });
}
