import { CliError, unreachableError } from '../../../../../src/errors.ts';
import type { BrokerConnection } from '../../../../../src/kafka/protocol/transport/connection.ts';
import type { Api, RequestOf, ResponseOf } from '../../../../../src/kafka/protocol/wire/api.ts';
import type { produce } from '../../../../../src/kafka/protocol/wire/apis/produce.ts';
import { noUuid } from '../../../../../src/kafka/protocol/wire/primitives.ts';
import type { ModelCluster, PartAnswer } from './model-cluster.ts';
import { type ArrivedBatch, readProduced } from './produced-batch.ts';

/** Wait for an answer on top of the timeout inside the request, in milliseconds. */
export const overheadMs = 1_000;

type ProduceResponse = ResponseOf<typeof produce>;

interface Exchange {
  readonly acks: number;
  readonly batches: readonly ArrivedBatch[];
  readonly isRepeatable: boolean;
  resolve(response: ProduceResponse): void;
  reject(error: Error): void;
  stopTimer(): void;
}

/** A connection whose requests arrive in order, late, and possibly after it has broken. */
export class ModelConnection implements BrokerConnection {
  readonly nodeId: number;
  readonly address: string;
  private readonly cluster: ModelCluster;
  private readonly life: number;
  private isDead = false;
  private isWorking = false;
  private lastArrivalAt = 0;
  /** Not answered. */
  private readonly pending = new Set<Exchange>();
  /** On the way or waiting at the broker. */
  private readonly unread: Exchange[] = [];
  private readonly inbox: Exchange[] = [];

  constructor(cluster: ModelCluster, node: number) {
    this.cluster = cluster;
    this.nodeId = node;
    this.address = `broker${node}:9092`;
    this.life = cluster.lives[node] ?? 0;
  }

  static refused(node: number): CliError {
    return unreachableError(`unable to connect to broker ${node}: TCP: connection refused`, { code: 'REFUSED' });
  }

  version(): number {
    return 9;
  }

  sendRaw(): Promise<Buffer> {
    throw new Error('nobody asks for raw answers');
  }

  send<Request, Response>(api: Api<Request, Response>, request: Request): Promise<Response> {
    if (api.name !== 'Produce') throw new Error(`${api.name} is not for a connection of one's own`);
    return this.produce(request as RequestOf<typeof produce>, api.repeatable) as Promise<Response>;
  }

  private produce(
    { acks, timeoutMs, topicData }: RequestOf<typeof produce>,
    isRepeatable: boolean,
  ): Promise<ProduceResponse> {
    // No byte of it was written.
    if (this.isDead) return Promise.reject(lost(this.nodeId));
    const batches = topicData.flatMap(({ name = '', partitionData }) =>
      partitionData.map(({ index, records }) => readProduced(name, index, Buffer.from(records ?? []))),
    );
    const { clock } = this.cluster;
    return new Promise((resolve, reject) => {
      const stopTimer = clock.after(timeoutMs + overheadMs, () => {
        if (this.pending.delete(exchange)) reject(judged(timedOut(this.nodeId), isRepeatable));
      });
      const exchange: Exchange = { acks, batches, isRepeatable, resolve, reject, stopTimer };
      this.unread.push(exchange);
      const arrivesAt = Math.max(this.lastArrivalAt, clock.now() + 1 + clock.random() * 10);
      this.lastArrivalAt = arrivesAt;
      clock.after(arrivesAt - clock.now(), () => this.arrive(exchange));
      if (acks === 0) {
        stopTimer();
        resolve({ responses: [], throttleTimeMs: 0, nodeEndpoints: undefined });
      } else this.pending.add(exchange);
    });
  }

  private arrive(exchange: Exchange): void {
    if (!this.unread.includes(exchange)) return;
    this.unread.splice(this.unread.indexOf(exchange), 1);
    this.inbox.push(exchange);
    this.work();
  }

  /** A broker reads the next request of a connection after answering the previous one. */
  private work(): void {
    const { clock, stalledUntil } = this.cluster;
    if (this.isWorking || this.isDead) return;
    const waitMs = (stalledUntil[this.nodeId] ?? 0) - clock.now();
    if (waitMs > 0) {
      this.isWorking = true;
      clock.after(waitMs, () => {
        this.isWorking = false;
        this.work();
      });
      return;
    }
    const exchange = this.inbox.shift();
    if (exchange === undefined) return;
    const answer = this.cluster.produce(this.nodeId, exchange.acks, exchange.batches);
    if (answer === 'cut') this.cut();
    this.isWorking = true;
    if (answer === 'silence' || answer === 'cut') return;
    clock.after(1 + clock.random() * 8, () => {
      this.isWorking = false;
      this.answer(exchange, answer);
      this.work();
    });
  }

  private answer(exchange: Exchange, answers: readonly PartAnswer[]): void {
    if (!this.pending.delete(exchange)) return;
    exchange.stopTimer();
    for (const [at, { partition, errorCode }] of answers.entries()) {
      const told = this.cluster.partitions[partition]?.told;
      if (errorCode === 0) for (const value of exchange.batches[at]?.values ?? []) told?.add(value);
    }
    exchange.resolve({
      responses: answers.map(({ topic, partition, errorCode, base }) => ({
        name: topic,
        topicId: noUuid,
        partitionResponses: [
          {
            index: partition,
            errorCode,
            baseOffset: BigInt(base),
            logAppendTimeMs: -1n,
            logStartOffset: -1n,
            recordErrors: [],
            errorMessage: undefined,
            currentLeader: undefined,
          },
        ],
      })),
      throttleTimeMs: 0,
      nodeEndpoints: undefined,
    });
  }

  /** The broker or the network ends it. What was sent may still be read later. */
  cut(): void {
    this.end((isRepeatable) => judged(lost(this.nodeId), isRepeatable));
  }

  destroy(): void {
    const closed = { code: 'CLOSED', retryable: false };
    this.end(() => unreachableError(`the connection to broker ${this.nodeId} was closed`, closed));
  }

  private end(error: (isRepeatable: boolean) => CliError): void {
    if (this.isDead) return;
    this.isDead = true;
    const { clock, connections } = this.cluster;
    connections.delete(this);
    const left = [...this.inbox.splice(0), ...this.unread.splice(0)];
    const read = clock.random() < 0.5 ? left.slice(0, Math.floor(clock.random() * (left.length + 1))) : [];
    // Without answers, only the pause before the next attempt keeps the order of two connections.
    const latestMs = this.cluster.weather.acks === 0 ? 150 : 500;
    if (read.length > 0) clock.after(clock.random() * latestMs, () => this.readLate(read));
    for (const { reject, isRepeatable, stopTimer } of this.pending) {
      stopTimer();
      reject(error(isRepeatable));
    }
    this.pending.clear();
  }

  private readLate(exchanges: readonly Exchange[]): void {
    if (this.cluster.lives[this.nodeId] !== this.life) return;
    for (const { acks, batches } of exchanges) this.cluster.produce(this.nodeId, acks, batches);
  }
}

/** Like a session: does not repeat what may have been carried out, unless that is harmless. */
function judged(error: CliError, isRepeatable: boolean): CliError {
  if (isRepeatable) return error;
  return new CliError(error.exitCode, error.message, { code: error.code, retryable: false });
}

function lost(node: number): CliError {
  return unreachableError(`lost broker ${node} during Produce`, { code: 'CONNECTION_LOST' });
}

function timedOut(node: number): CliError {
  return unreachableError(`Produce request to broker ${node} got no answer`, { code: 'REQUEST_TIMEOUT' });
}
