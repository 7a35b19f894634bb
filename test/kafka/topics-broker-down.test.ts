import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stop } from '../../src/sandbox/process.ts';
import { startThree } from '../services/brokers.ts';
import { type Cluster3, services } from '../services/services.ts';
import { run } from '../world.ts';

let cluster: Cluster3;
const world = () => ({ env: { WEIR_BROKERS: cluster.brokers } });

beforeAll(async () => {
  const { directory, runtime } = services();
  cluster = await startThree(join(directory, 'broker-down'), runtime);
  await run('topic create lonely -p 3 -r 1', world());
  await run('topic create safe -p 3 -r 3', world());
  const [first] = cluster.nodes;
  if (first) await stop(first.process, { graceMs: 0 });
});

afterAll(async () => {
  for (const { process } of cluster?.nodes ?? []) await stop(process, { graceMs: 0 });
});

/** The columns of the PARTITIONS section, without what differs from run to run. */
async function partitions(topic: string) {
  const { stdout, exitCode } = await run(`topic describe ${topic} --format json`, world());
  const [row]: { partitions: Record<string, unknown>[] }[] = JSON.parse(stdout);
  return { exitCode, rows: row?.partitions ?? [] };
}

describe('topics while the first of three brokers is down', () => {
  it('are described as soon as other brokers lead them', async () => {
    const { exitCode, rows } = await partitions('safe');
    expect(exitCode).toBe(0);
    for (const row of rows) {
      expect(row).toMatchObject({ replicas: [1, 2, 3], log_start_offset: 0, high_watermark: 0, error: [] });
    }
  });

  it('say which partition has no leader any more, and exit with 1', async () => {
    const { exitCode, rows } = await partitions('lonely');
    expect(exitCode).toBe(1);
    const lost = rows.filter(({ leader }) => leader === -1);
    expect(lost).toEqual([
      expect.objectContaining({
        replicas: [1],
        offline_replicas: [1],
        load_error: 'LEADER_NOT_AVAILABLE',
        log_start_offset: null,
        high_watermark: null,
        error: ['LEADER_NOT_AVAILABLE'],
      }),
    ]);
    expect(rows.filter(({ error }) => Array.isArray(error) && error.length === 0)).toHaveLength(2);
  });

  it('are listed, created and deleted by the brokers that are left', async () => {
    expect((await run('topic list lonely safe --no-headers', world())).stdout).toBe('lonely  3  1\nsafe    3  3\n');
    expect((await run('topic create after -p 3 -r 2 --no-headers', world())).stdout).toBe('after  OK\n');
    expect((await run('topic delete after lonely --no-headers', world())).stdout).toBe('after   OK\nlonely  OK\n');
  });
});
