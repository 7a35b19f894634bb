import { beforeAll, describe, expect, it } from 'vitest';
import { type Cluster3, cluster3 } from '../../../services/services.ts';
import { knownEverywhere } from '../../../services/visibility.ts';
import { run } from '../../../world.ts';

let cluster: Cluster3;

beforeAll(async () => {
  cluster = await cluster3();
});

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: { WEIR_BROKERS: cluster.brokers } });
}

interface Described {
  readonly partitions: readonly { readonly leader: number }[];
}

describe('a cluster with racks', () => {
  it('--rack reads everything from the follower in that rack', async () => {
    await weir(['topic', 'create', 'racked', '-p', '1', '-r', '3']);
    await knownEverywhere(cluster.brokers, 'racked');
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
    // Its leader answers without records and names the follower: that is not the end of a range.
    const range = ['topic', 'consume', 'racked', '-f', '%v\\n', '-o', ':end', '--rack', `rack-${follower}`];
    expect(await weir(range)).toEqual({ stdout: stdin, stderr: '', exitCode: 0 });
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
    await knownEverywhere(cluster.brokers, 'made-by-need');
    const read = await weir(['topic', 'consume', 'made-by-need', '-o', ':end', '-f', '%v ']);
    expect(read.stdout).toBe('a b ');
  });
});

describe('a log that was really compacted', () => {
  it('is read across its gaps, even in ranges that begin and end in them', async () => {
    const configs = ['cleanup.policy=compact', 'segment.ms=50', 'min.cleanable.dirty.ratio=0.01'];
    const flags = configs.flatMap((config) => ['-c', config]);
    await weir(['topic', 'create', 'compacted', '-p', '1', '-r', '1', ...flags]);
    await knownEverywhere(cluster.brokers, 'compacted');
    const fill = (keys: string, value: string) =>
      weir(['topic', 'produce', 'compacted', '-f', '%k=%v\\n', '-o', ''], {
        stdin: [...keys].map((key) => `${key}=${value}\n`).join(''),
      });
    const read = async (...words: readonly string[]) => {
      const { stdout, exitCode } = await weir(['topic', 'consume', 'compacted', '-f', '%o%k%v ', ...words]);
      expect(exitCode).toBe(0);
      return stdout;
    };
    await fill('abcd', '1');
    await fill('bd', '2');
    // Only segments before the active one are compacted; each of these begins a new one.
    for (let more = 0; (await read('-o', ':6')) !== '0a1 2c1 4b2 5d2 '; more += 1) await fill('x', String(more % 10));
    expect(await read('-o', '1:4')).toBe('2c1 ');
    expect(await read('-o', '3:5')).toBe('4b2 ');
    expect(await read('-o', '1:2')).toBe('');
    expect(await read('-o', ':2')).toBe('0a1 ');
    expect(await read('-o', '1', '-n', '2')).toBe('2c1 4b2 ');
    const all = (await read('-o', ':end')).trimEnd().split(' ');
    expect(all.slice(0, 4)).toEqual(['0a1', '2c1', '4b2', '5d2']);
    expect(await read('-g', 'compacted-g', '-n', '2')).toBe('0a1 2c1 ');
    expect(await read('-g', 'compacted-g', '-n', '1')).toBe('4b2 ');
  });
});

/** Number of Fetch requests to the address in a trace. */
function fetchesTo(trace: string, address: string): number {
  return trace.split('\n').filter((line) => line.includes('Fetch') && line.includes(address)).length;
}
