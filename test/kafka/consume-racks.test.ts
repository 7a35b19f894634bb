import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProcessId, stop } from '../../src/sandbox/process.ts';
import { startThree } from '../services/brokers.ts';
import { type Cluster3, services } from '../services/services.ts';
import { run } from '../world.ts';

let cluster: Cluster3;
let processes: readonly ProcessId[] = [];

beforeAll(async () => {
  const { runtime, directory } = services();
  cluster = await startThree(join(directory, 'racks'), runtime, (id) => [
    ['broker.rack', `rack-${id}`],
    ['replica.selector.class', 'org.apache.kafka.common.replica.RackAwareReplicaSelector'],
    ['auto.create.topics.enable', 'true'],
  ]);
  processes = cluster.nodes.map((node) => node.process);
});

afterAll(async () => {
  await Promise.all(processes.map((id) => stop(id, { graceMs: 0 })));
});

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: { WEIR_BROKERS: cluster.brokers } });
}

interface Described {
  readonly partitions: readonly { readonly leader: number }[];
}

describe('a cluster with racks', () => {
  it('--rack reads from the follower in it, and gets everything', async () => {
    await weir(['topic', 'create', 'racked', '-p', '1', '-r', '3']);
    const stdin = Array.from({ length: 1000 }, (_, index) => `v${index}\n`).join('');
    await weir(['topic', 'produce', 'racked', '-o', ''], { stdin });
    const described = await weir(['topic', 'describe', 'racked', '--format', 'json']);
    const [topic] = JSON.parse(described.stdout) as readonly Described[];
    const leader = topic?.partitions[0]?.leader ?? -1;
    const follower = (leader % 3) + 1;
    const port = cluster.nodes.find(({ id }) => id === follower)?.address ?? '';
    const words = ['topic', 'consume', 'racked', '-f', '%v\\n', '-n', '1000', '--trace', '-'];
    const near = await weir([...words, '--rack', `rack-${follower}`]);
    expect(near.stdout).toBe(stdin);
    expect(fetchesTo(near.stderr, port)).toBeGreaterThan(0);
    const far = await weir(words);
    expect(far.stdout).toBe(stdin);
    expect(fetchesTo(far.stderr, port)).toBe(0);
  });

  it('--allow-auto-topic-creation creates the topic, and without it there is none', async () => {
    const refused = await weir(['topic', 'produce', 'made-by-need', '-o', ''], { stdin: 'a\n' });
    expect(refused.exitCode).toBe(3);
    const flags = ['--allow-auto-topic-creation', '-f', '%v\\n', '-o', '%v@%o '];
    const produced = await weir(['topic', 'produce', 'made-by-need', ...flags], { stdin: 'a\nb\n' });
    expect(produced).toMatchObject({ stdout: 'a@0 b@1 ', stderr: '', exitCode: 0 });
    const read = await weir(['topic', 'consume', 'made-by-need', '-o', ':end', '-f', '%v ']);
    expect(read.stdout).toBe('a b ');
  });
});

/** How many lines of a trace are a Fetch to the address. */
function fetchesTo(trace: string, address: string): number {
  return trace.split('\n').filter((line) => line.includes('Fetch') && line.includes(address)).length;
}
