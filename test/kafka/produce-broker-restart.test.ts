import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProcessId, stop } from '../../src/sandbox/process.ts';
import { restart, startThree } from '../services/brokers.ts';
import { type Cluster3, services } from '../services/services.ts';
import { run } from '../world.ts';

let cluster: Cluster3;
let directory: string;
const processes: ProcessId[] = [];

beforeAll(async () => {
  const { runtime, directory: root } = services();
  directory = join(root, 'produce-restart');
  cluster = await startThree(directory, runtime);
  processes.push(...cluster.nodes.map((node) => node.process));
});

afterAll(async () => {
  await Promise.all(processes.map((id) => stop(id, { graceMs: 0 })));
});

const records = 200_000;
const topic = 'restarted';

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: { WEIR_BROKERS: cluster.brokers } });
}

describe('a broker of three that is killed and comes back', () => {
  it('loses nothing, repeats nothing and keeps the order of each partition', { timeout: 170_000 }, async () => {
    const created = await weir(['topic', 'create', topic, '-p', '6', '-r', '3', '-c', 'min.insync.replicas=2']);
    expect(created.stderr).toBe('');
    const stdin = new PassThrough();
    const producing = weir(['topic', 'produce', topic, '-f', '%k %v\\n', '-o', ''], { stdin });
    const reading = weir([
      'topic',
      'consume',
      topic,
      '-n',
      String(records),
      '-f',
      '%p %k\\n',
      '--fetch-max-wait',
      '500ms',
    ]);
    const { runtime } = services();
    for (let index = 0; index < records; index += 1) {
      const line = `${index} ${'v'.repeat(100)}\n`;
      if (!stdin.write(line)) await new Promise((resolve) => stdin.once('drain', resolve));
      // In the middle of the stream, with requests in flight.
      if (index === records / 4) await stop(processes[1] as ProcessId, { graceMs: 0 });
      if (index === records / 2) processes[1] = await restart(directory, runtime, 2);
    }
    stdin.end();
    const produced = await producing;
    expect({ stderr: produced.stderr, exitCode: produced.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const { stdout, exitCode } = await reading;
    expect(exitCode).toBe(0);
    const last = new Map<string, number>();
    const seen = new Set<number>();
    for (const line of stdout.trimEnd().split('\n')) {
      const [partition = '', key = ''] = line.split(' ');
      expect(Number(key)).toBeGreaterThan(last.get(partition) ?? -1);
      last.set(partition, Number(key));
      seen.add(Number(key));
    }
    expect(seen.size).toBe(records);
    const rest = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%k\\n']);
    expect(rest.stdout.trimEnd().split('\n')).toHaveLength(records);
  });
});
