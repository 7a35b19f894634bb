import { execa } from 'execa';
import { afterAll, beforeAll, expect } from 'vitest';
import { simulatedSettings } from '../../../../src/sandbox/simulated/options.ts';
import { type ModelServer, startModelServer } from '../control.ts';

/** Three model brokers on TCP with the settings of a simulated sandbox, for the tests of one file. */
export interface ClientStage {
  /** Returns the addresses of the brokers as `a,b,c`. */
  brokers(): string;
  /** Creates a topic with six partitions and returns its name. */
  newTopic(): string;
}

/** Starts the brokers for the tests of a file and stops them afterwards, expecting no internal errors of the model. */
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

/** A group member that reports each record as a line. */
export interface Reader {
  readonly lines: readonly string[];
  /** Leaves the group cleanly. */
  leave(): Promise<void>;
}

/** Starts a program that prints a line for each record and leaves its group on SIGTERM. */
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

/** The operations of a client under test: writing values and starting a group member. */
export interface GroupTrial {
  write(values: readonly string[]): Promise<void>;
  join(): Reader | Promise<Reader>;
}

const patience = { timeout: 60_000, interval: 100 };

/** Expects two members to share the written values, then one to continue alone, with every value read once. */
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
