import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { type ModelServer, startModelServer } from '../../../../src/sandbox/broker/listen/server.ts';
import { simulatedSettings } from '../../../../src/sandbox/simulated/settings.ts';

/** Three brokers of the model behind TCP, with the settings of a simulated sandbox, for the tests of one file. */
export interface ClientStage {
  /** `a,b,c` */
  brokers(): string;
  /** Makes a topic of six partitions and gives its name. */
  newTopic(): string;
}

/** Starts the brokers before the tests of the file, and ends them after. No test may leave a defect of the model. */
export function clientStage(): ClientStage {
  let server: ModelServer | undefined;
  let topics = 0;
  const running = (): ModelServer => {
    if (server === undefined) throw new Error('the brokers are not started yet');
    return server;
  };
  beforeAll(async () => {
    const brokers = [1, 2, 3].map((id) => ({ id, host: '127.0.0.1', port: 0 }));
    server = await startModelServer({ brokers, settings: simulatedSettings(3) });
  });
  afterAll(async () => {
    await server?.close();
    expect(server?.cluster.control.defects).toEqual([]);
  });
  return {
    brokers: () =>
      running()
        .brokers.map(({ host, port }) => `${host}:${port}`)
        .join(','),
    newTopic() {
      topics += 1;
      const name = `topic-${topics}`;
      running().cluster.control.createTopic({ name, partitions: 6 });
      return name;
    },
  };
}

/** A member of a group that tells what it reads, in a line for each record. */
export interface Reader {
  readonly lines: readonly string[];
  /** Leaves the group in good order. */
  leave(): Promise<void>;
}

/** A program that prints a line for each record and leaves its group on SIGTERM. */
export function readerOf(program: string, words: readonly string[]): Reader {
  const child = execa(program, [...words], { reject: false, stdin: 'ignore' });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    const all = `${rest}${chunk.toString()}`.split('\n');
    rest = all.pop() ?? '';
    lines.push(...all);
  });
  return {
    lines,
    async leave() {
      child.kill('SIGTERM');
      await child;
    },
  };
}

/** What a group is tried with: how values are written, and how a member is started. */
export interface GroupTrial {
  write(values: readonly string[]): Promise<void>;
  join(): Reader | Promise<Reader>;
}

const patience = { timeout: 60_000, interval: 100 };

/** Two members share what is written, one leaves, the other goes on; every value is read once. */
export async function expectSharedReading({ write, join }: GroupTrial): Promise<void> {
  const written: string[] = [];
  const wave = async (): Promise<void> => {
    const values = Array.from({ length: 60 }, (_, index) => `value-${written.length + index}`);
    await write(values);
    written.push(...values);
  };
  const readers: Reader[] = [];
  try {
    await wave();
    const first = await join();
    readers.push(first);
    await expect.poll(() => first.lines.length, patience).toBe(written.length);
    const second = await join();
    readers.push(second);
    while (second.lines.length === 0) {
      await wave();
      await expect.poll(() => first.lines.length + second.lines.length, patience).toBe(written.length);
    }
    await second.leave();
    await wave();
    await expect.poll(() => first.lines.length + second.lines.length, patience).toBe(written.length);
    expect([...first.lines, ...second.lines].sort()).toEqual([...written].sort());
  } finally {
    await Promise.all(readers.map((one) => one.leave()));
  }
}
