import type { VirtualClock } from '../../../../simulation/virtual-clock.ts';
import { ModelConnection } from './model-connection.ts';
import { ModelPartition } from './model-partition.ts';
import type { ArrivedBatch } from './produced-batch.ts';
import type { Weather } from './weather.ts';

/** A broker's answer about one partition. */
export interface PartAnswer {
  readonly topic: string;
  readonly partition: number;
  readonly errorCode: number;
  readonly base: number;
}

/** Three brokers; every partition of the topic `foo` has a replica on each. */
export class ModelCluster {
  readonly partitions: readonly ModelPartition[];
  readonly clock: VirtualClock;
  readonly weather: Weather;
  readonly connections = new Set<ModelConnection>();
  /** Brokers that accept no connections. */
  readonly down = new Set<number>();
  /** Brokers that process nothing until that time. */
  readonly stalledUntil = [0, 0, 0];
  /** Incremented when a broker crashes: what was on its way to it is lost. */
  readonly lives = [0, 0, 0];

  constructor(clock: VirtualClock, weather: Weather) {
    this.clock = clock;
    this.weather = weather;
    this.partitions = Array.from({ length: weather.partitions }, () => new ModelPartition(weather.isStrict));
  }

  /** Whether faults still happen. */
  get isStormy(): boolean {
    return this.clock.now() < this.weather.calmAtMs;
  }

  private falls(chance: number): boolean {
    return this.isStormy && this.clock.random() < chance;
  }

  async dial(node: number): Promise<ModelConnection> {
    await this.clock.sleep(1 + this.clock.random() * 5);
    if (this.down.has(node)) throw ModelConnection.refused(node);
    const connection = new ModelConnection(this, node);
    this.connections.add(connection);
    return connection;
  }

  /** Processes a Produce request at a broker, batch by batch; undefined: cut the connection instead of answering. */
  produce(node: number, acks: number, batches: readonly ArrivedBatch[]): PartAnswer[] | 'cut' | 'silence' {
    const { chances } = this.weather;
    if (this.falls(chances.cutBefore)) return 'cut';
    const answers = batches.map((batch) => this.produceOne(node, acks, batch));
    if (this.falls(chances.cutAfter)) return 'cut';
    // Without answers, a broker reports errors this way.
    if (acks === 0 && answers.some(({ errorCode }) => errorCode !== 0)) return 'cut';
    return this.falls(chances.silence) ? 'silence' : answers;
  }

  private produceOne(node: number, acks: number, batch: ArrivedBatch): PartAnswer {
    const { topic, partition: number } = batch;
    const answer = (errorCode: number, base = -1): PartAnswer => ({ topic, partition: number, errorCode, base });
    const partition = this.partitions[number];
    if (partition === undefined) return answer(3);
    if (partition.leader !== node) return answer(6);
    const { chances, codesBefore, codesAfter } = this.weather;
    if (this.falls(chances.before)) return answer(this.pick(codesBefore));
    if (acks === -1 && partition.isShort) return answer(19);
    const { code, base } = partition.append(batch, batch.values);
    if (code !== 0) return answer(code);
    // It can fail after the append only if it waits for replicas.
    if (acks === -1 && this.falls(chances.after)) {
      if (this.clock.random() < 0.5) partition.replicated = partition.entries.length;
      return answer(this.pick(codesAfter));
    }
    partition.replicated = partition.entries.length;
    return answer(0, base);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.clock.random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** Makes another replica the leader; an unclean election follows a crash of the leader. */
  elect(partition: ModelPartition, isUnclean: boolean): void {
    const { random } = this.clock;
    const { replicated, entries, leader, lastLeader } = partition;
    if (isUnclean) this.crash(lastLeader);
    const least = isUnclean ? 0 : this.weather.acks === -1 ? replicated : entries.length;
    const length = least + Math.floor(random() * (entries.length - least + 1));
    const others = [0, 1, 2].filter((node) => node !== leader);
    const next = this.pick(others);
    // A replica that lacks acknowledged records is out of sync because it was down.
    if (isUnclean) this.crash(next);
    partition.elect(next, length, 1 + Math.floor(random() * 5));
  }

  /** Crashes a broker, with everything on its way to it, and restarts it at once. */
  crash(node: number): void {
    this.lives[node] = (this.lives[node] ?? 0) + 1;
    for (const connection of this.connections) if (connection.nodeId === node) connection.cut();
  }
}
