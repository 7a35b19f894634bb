import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../services/services.ts';
import { newTopic, weir } from '../../commands/topic/records-world.ts';
import { pythonConsumes, pythonPeer } from './python-peer.ts';

let topic: string;
let peer: ReturnType<typeof pythonPeer>;

/** Creates a topic and starts its producer; resolves when the last transaction is open. */
async function openTransactions() {
  const name = await newTopic();
  const producer = pythonPeer('transactions', [name]);
  for await (const line of createInterface({ input: producer.stdout })) if (line === 'open') break;
  return { name, producer };
}

beforeAll(async () => {
  const { name, producer } = await openTransactions();
  topic = name;
  peer = producer;
});

afterAll(async () => {
  peer.stdin.end();
  await peer;
});

async function read(...flags: readonly string[]): Promise<string> {
  return await readFrom(topic, flags);
}

async function readFrom(name: string, flags: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await weir(['topic', 'consume', name, '-o', ':end', '-f', '%v', ...flags]);
  // Where an open transaction ends the read, it is named.
  const open = /^topic ".*" partition 0 stops at offset 9: a transaction of ".*-writer" is open, 3 more offsets\n$/;
  expect({ stderr: stderr.replace(open, ''), exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

describe('a topic with committed, aborted and open transactions of a real producer', () => {
  it('is read whole without --read-committed', async () => {
    expect(await read()).toBe('abcdefghi');
  });

  it('is read up to the first open transaction, without what was aborted, with --read-committed', async () => {
    expect(await read('--read-committed')).toBe('abef');
    const others = await pythonConsumes(topic, '--committed');
    expect(others.map(({ value }) => value?.toString()).join('')).toBe('abef');
  });

  it('shows which records belong to transactions, and the markers on request', async () => {
    const [layout, marked] = ['%v%a{transactional-bit},', '%o:%a{control-bit}%a{transactional-bit} '];
    const bits = await weir(['topic', 'consume', topic, '-o', ':end', '-f', layout]);
    expect(bits.stdout).toBe('a1,b1,c1,d1,e0,f1,g1,h1,i0,');
    const markers = await read('--print-control-records', '-f', marked);
    expect(markers).toBe('0:01 1:01 2:11 3:01 4:01 5:11 6:00 7:01 8:11 9:01 10:01 11:00 ');
  });

  it('marks the markers in JSON, so that produce does not treat them as records', async () => {
    const words = ['topic', 'consume', topic, '-o', ':end', '--print-control-records', '--format', 'json'];
    const { stdout } = await weir(words);
    const rows = stdout.trimEnd().split('\n');
    const controls = rows.map((line) => (JSON.parse(line) as { control?: string }).control?.[0] ?? '-');
    expect(controls.join('')).toBe('--c--a--c---');
    const copied = await weir(['topic', 'produce', await newTopic(), '--format', 'json'], { stdin: stdout });
    expect(copied.stderr).toContain('unable to read record 3');
    expect(copied.stderr).toContain('a transaction marker cannot be produced');
    expect(copied.exitCode).toBe(1);
  });

  it('counts only what it prints for -n, from any offset within a transaction', async () => {
    expect(await read('--read-committed', '-n', '3')).toBe('abe');
    expect(await read('--read-committed', '-o', '4:end')).toBe('ef');
    expect(await read('--read-committed', '-o', '3:8')).toBe('ef');
  });

  it('shows the rest once the open transaction is committed', async () => {
    const { name, producer } = await openTransactions();
    expect(await readFrom(name, ['--read-committed'])).toBe('abef');
    producer.stdin.end();
    await producer;
    expect(await readFrom(name, ['--read-committed'])).toBe('abefghi');
    expect(await readFrom(name, [])).toBe('abcdefghi');
  });
});
