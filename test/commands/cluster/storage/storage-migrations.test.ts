import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '../../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { storageWorld } from './storage-world.ts';

const mounted = 'POST /v1/topics/mount';
const cancelled = (id: number) => `POST /v1/migrations/${id}?action=cancel`;

beforeEach(skipPauses);

describe('cluster storage list-mount and status-mount', () => {
  test('print the columns of rpk, and more with wide; the filter holds in every format', async () => {
    const { cluster, json } = await storageWorld({});
    const { id } = await json('storage mount archive --to b');
    const { id: second } = await json('storage unmount orders');
    expect((await cluster('storage list-mount')).stdout).toBe(
      [
        'ID  STATE    MIGRATION  TOPICS',
        `${id}  planned  inbound    archive → b`,
        `${second}  planned  outbound   orders`,
        '',
      ].join('\n'),
    );
    expect((await cluster('storage list-unmount --format wide')).stdout).toBe(
      [
        'ID  STATE    MIGRATION  TOPICS   MOUNTED-AS  CREATED               COMPLETED',
        `${id}  planned  inbound    archive  b           2030-01-01T00:00:00Z  -`,
        `${second}  planned  outbound   orders   -           2030-01-01T00:00:00Z  -`,
        '',
      ].join('\n'),
    );
    expect(await json('storage list-mount -f finished')).toEqual([]);
    expect((await json('storage list-mount --filter planned')).map((one: Json) => one.id)).toEqual([id, second]);
    expect((await cluster(`storage status-unmount ${second} --no-headers`)).stdout).toBe(
      `${second}  planned  outbound  orders\n`,
    );
  });

  test('only a topic that a mount renames has two names', async () => {
    const { cluster, switches } = await storageWorld({});
    const named = (topic: string) => ({ source_topic_reference: { topic } });
    const topics = [
      { ...named('orders'), alias: { topic: 'orders-2' } },
      { ...named('same'), alias: { topic: 'same' } },
      { ...named('kept') },
    ];
    const migration = { migration_type: 'inbound', topics };
    const text = JSON.stringify([{ id: 1, state: 'finished', migration }]);
    switches.addFault({ route: 'migrations.list', effect: { kind: 'status', status: 200, text } });
    expect((await cluster('storage list-mount --no-headers')).stdout).toBe(
      '1  finished  inbound  orders → orders-2, same, kept\n',
    );
  });

  test('a time without a date is left out, and the last one that has a date is shown', async () => {
    const { cluster, switches } = await storageWorld({});
    const last = 8.64e15;
    const migration = { migration_type: 'inbound', topics: [] };
    const text = JSON.stringify([
      {
        ...{ id: 1, state: 'finished', migration, created_timestamp: last },
        completed_timestamp: last + 1,
      },
    ]);
    switches.addFault({ route: 'migrations.list', effect: { kind: 'status', status: 200, text } });
    const { stdout } = await cluster('storage list-mount --format wide --no-headers');
    expect(stdout).toMatch(/ \+275760-09-13T00:00:00Z {2}-\n$/);
  });

  test('an unknown migration has exit 3', async () => {
    const { cluster } = await storageWorld();
    for (const line of ['status-mount 9', 'cancel-mount 9', 'cancel-mount 9 --dry-run']) {
      const { stderr, exitCode } = await cluster(`storage ${line}`);
      expect(stderr).toMatch(
        /^weir: unable to read migration 9: Data migration does not exist: Requested data migration does not exist \(GET \S+: 404\)\nhint: see .* storage list-mount\n$/,
      );
      expect(exitCode).toBe(3);
    }
    const waiting = await cluster('storage status-mount 9 --wait');
    expect(waiting.stderr).toContain('weir: unable to read migration 9: ');
    expect(waiting.exitCode).toBe(3);
  });

  test('a migration of another tool that does not advance by itself: the wait says so', async () => {
    const { cluster, ok } = await storageWorld();
    const { id } = await ok('PUT /v1/migrations', {
      body: { migration_type: 'outbound', topics: [{ topic: 'orders' }] },
    });
    const { stderr, exitCode } = await cluster(`storage status-mount ${id} --wait --wait-timeout 10s`);
    expect(stderr).toContain(`warning: migration ${id} does not advance by itself: it waits for another tool\n`);
    expect(stderr).toContain(`hint: resume waiting with: weir cluster storage status-mount ${id} --wait\n`);
    expect(exitCode).toBe(5);
  });
});

describe('cluster storage cancel-mount', () => {
  test('cancels, waits if asked, and says so when it is done already', async () => {
    const { cluster, json, ok, changes, switches } = await storageWorld({});
    const { id } = await json('storage mount archive');
    await switches.advance(1000);
    expect(await cluster(`storage cancel-mount ${id} --dry-run`)).toEqual({
      stdout: `Migration ${id} would be canceled; it is preparing.\n`,
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await cluster(`storage cancel-mount ${id}`)).toEqual({
      stdout: `Migration ${id} is being canceled.\n`,
      stderr: `see how far it is with: weir cluster storage status-mount ${id}\n`,
      exitCode: 0,
    });
    expect(await json(`storage cancel-unmount ${id}`)).toMatchObject({ state: 'canceling', status: 'NOT_NEEDED' });
    expect((await cluster(`storage mount archive`)).exitCode).toBe(6);
    await switches.advance(60_000);
    expect(await cluster(`storage cancel-mount ${id} --wait`)).toEqual({
      stdout: `Migration ${id} is canceled.\n`,
      stderr: `migration ${id} is cancelled already\n`,
      exitCode: 0,
    });
    expect(await ok('GET /v1/topics/mountable')).toMatchObject({ topics: { length: 2 } });
    expect(changes()).toEqual([mounted, cancelled(id)]);
  });

  test('one that is finished, or cannot be canceled in its state: exit 6', async () => {
    const { cluster, json, switches } = await storageWorld({});
    const { id } = await json('storage mount archive');
    const early = await cluster(`storage cancel-mount ${id}`);
    expect(early.stderr).toContain(': Invalid data migration state transition requested (POST ');
    expect(early.exitCode).toBe(6);
    await switches.advance(60_000);
    expect(await cluster(`storage cancel-mount ${id}`)).toEqual({
      stdout: '',
      stderr: `weir: unable to cancel migration ${id}: it has finished\n`,
      exitCode: 6,
    });
  });
});
