import { beforeEach, describe, expect, test } from 'vitest';
import { startNode } from '../../../admin/admin-of.ts';
import { skipPauses } from '../../../skipped-pauses.ts';
import { run } from '../../../world.ts';
import { adminWorld } from '../admin-world.ts';
import { storageWorld } from './storage-world.ts';

const mounted = 'POST /v1/topics/mount';
const unmounted = 'POST /v1/topics/unmount';

beforeEach(skipPauses);

describe('cluster storage list-mountable', () => {
  test('prints the columns of rpk, sorted', async () => {
    const { cluster, json } = await storageWorld();
    expect(await cluster('storage list-mountable')).toEqual({
      stdout: [
        'TOPIC    NAMESPACE  LOCATION',
        'archive  kafka      archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/7',
        'archive  other      archive/uuid/8',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect((await json('storage list-mountable'))[1]).toEqual({
      ...{ topic: 'archive', namespace: 'other', topic_location: 'archive/uuid/8' },
    });
  });

  test.each(['storage list-mountable', 'storage list-mount', 'storage mount a', 'storage unmount orders'])(
    '%s: a cluster without the calls: exit 1, and what may be the reason',
    async (line) => {
      const { cluster, switches, changes } = await storageWorld();
      for (const route of ['topics.mountable', 'migrations.list'])
        switches.addFault({ route, effect: { kind: 'status', status: 404, message: 'Not found' }, times: null });
      const { stderr, exitCode } = await cluster(line);
      expect(stderr).toContain('hint: the version of this cluster may not support mounting topics');
      expect(exitCode).toBe(1);
      expect(changes()).toEqual([]);
    },
  );
});

describe('cluster storage mount', () => {
  test('starts the mount, prints its id, and says how to follow it', async () => {
    const { cluster, json, changes } = await storageWorld({});
    const outcome = await cluster('storage mount archive --to archive-2024');
    const [, id] = /migration (\d+)/.exec(outcome.stdout) ?? [];
    expect(outcome).toEqual({
      stdout: `Topic archive is being mounted as archive-2024: migration ${id}.\n`,
      stderr: `see how far it is with: weir cluster storage status-mount ${id}\n`,
      exitCode: 0,
    });
    expect(await json(`storage status-mount ${id}`)).toEqual({
      ...{ id: Number(id), state: 'planned', type: 'inbound', topics: ['archive'], mounted_as: ['archive-2024'] },
      ...{ created_timestamp: expect.any(Number), completed_timestamp: null },
    });
    expect(changes()).toEqual([mounted]);
  });

  test('--wait ends when clients can use the topic; again, it says so and sends nothing', async () => {
    const { cluster, json, ok, changes } = await storageWorld();
    const first = await json('storage mount archive --to archive-2024 --wait');
    expect(first).toMatchObject({ state: 'finished', status: 'OK', completed_timestamp: expect.any(Number) });
    expect(await ok('GET /v1/partitions/kafka/archive-2024')).toHaveLength(2);
    expect(await cluster('storage mount archive --to archive-2024 -w')).toEqual({
      stdout: `Topic archive is mounted as archive-2024 (migration ${first.id}).\n`,
      stderr: `migration ${first.id} has mounted topic "archive" already\n`,
      exitCode: 0,
    });
    expect(changes()).toEqual([mounted]);
  });

  test('while it is running, the same command only waits; another one for the topic has exit 6', async () => {
    const { cluster, changes } = await storageWorld();
    const [, id] = /migration (\d+)/.exec((await cluster('storage mount archive')).stdout) ?? [];
    const other = await cluster('storage mount archive --to b --wait');
    expect(other).toEqual({
      stdout: '',
      stderr:
        `weir: unable to mount topic "archive": it is in migration ${id}\n` +
        `hint: see it with: weir cluster storage status-mount ${id}\n`,
      exitCode: 6,
    });
    expect(await cluster('storage mount archive --to kafka/archive')).toMatchObject({
      stdout: `Topic archive is being mounted: migration ${id}.\n`,
      stderr: expect.stringContaining(`topic "archive" is being mounted already by migration ${id}\n`),
    });
    expect(await cluster('storage mount archive --wait')).toMatchObject({
      stdout: `Topic archive is mounted (migration ${id}).\n`,
      exitCode: 0,
    });
    expect(changes()).toEqual([mounted]);
  });

  test('a topic that was mounted, unmounted and is mounted again is a new migration', async () => {
    const { json, changes } = await storageWorld();
    const ids: number[] = [];
    for (const line of ['mount archive', 'unmount archive', 'mount archive', 'unmount archive']) {
      const row = await json(`storage ${line} --wait`);
      expect(row).toMatchObject({ status: 'OK', state: 'finished' });
      ids.push(row.id);
    }
    expect(new Set(ids).size).toBe(4);
    expect(changes()).toEqual([mounted, unmounted, mounted, unmounted]);
  });

  test('--dry-run says what would be mounted; exit 3 for what is not there', async () => {
    const { cluster, json, changes } = await storageWorld();
    expect(await cluster('storage mount archive --to x --dry-run --wait')).toEqual({
      stdout: 'Topic archive would be mounted as x.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json('storage mount other/archive --dry-run')).toEqual({
      ...{ id: null, state: null, type: 'inbound', topics: ['other/archive'], mounted_as: ['other/archive'] },
      ...{ created_timestamp: null, completed_timestamp: null, status: 'OK', dry_run: true, error: null },
    });
    const location = 'archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/7';
    expect((await cluster(`storage mount ${location} --dry-run`)).exitCode).toBe(0);
    for (const more of ['--dry-run', '', '--to other --wait']) {
      expect(await cluster(`storage mount nope ${more}`)).toMatchObject({
        stderr:
          'weir: object storage has no topic "nope" to mount\n' +
          'hint: see what can be mounted with: weir cluster storage list-mountable\n',
        exitCode: 3,
      });
    }
    expect(changes()).toEqual([]);
  });

  test.each([
    ['24.3', 'Unexpected cluster error: The topic has already been created', 500],
    ['26.1', 'The topic has already been created', 400],
  ] as const)('a name that is taken is refused in the words of Redpanda %s: exit 6', async (release, words, status) => {
    const { cluster } = await storageWorld({ release });
    const { stderr, exitCode } = await cluster('storage mount archive --to orders');
    expect(stderr).toMatch(/^weir: unable to mount topic "archive": .* \(POST \S+ \d+\)\n$/);
    expect(stderr).toContain(`: ${words} (POST `);
    expect(stderr).toContain(`: ${status})`);
    expect(exitCode).toBe(6);
  });

  test.each([
    ['archive', { source_topic_reference: { ns: 'kafka', topic: 'archive' } }],
    [
      'ns/archive --to b',
      { source_topic_reference: { ns: 'ns', topic: 'archive' }, alias: { ns: 'kafka', topic: 'b' } },
    ],
    ['archive --to archive', { source_topic_reference: { ns: 'kafka', topic: 'archive' } }],
    [
      'archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/10 --to ns/c',
      {
        source_topic_reference: { ns: 'kafka', topic: 'archive/67f5505a-32f1-4677-bcad-3c75a1a702a6/10' },
        alias: { ns: 'ns', topic: 'c' },
      },
    ],
    [
      'ns/archive/67F5505A-32f1-4677-bcad-3c75a1a702a6/0',
      { source_topic_reference: { ns: 'ns', topic: 'archive/67F5505A-32f1-4677-bcad-3c75a1a702a6/0' } },
    ],
  ])('%s sends the documented body', async (words, topic) => {
    const stored = ['kafka', 'ns'].flatMap((ns) =>
      ['67f5505a', '67F5505A'].flatMap((id) =>
        [0, 10].map((revision) => {
          const location = `archive/${id}-32f1-4677-bcad-3c75a1a702a6/${revision}`;
          return { ns, topic: 'archive', topic_location: location };
        }),
      ),
    );
    const answers: Readonly<Record<string, unknown>> = {
      [mounted]: { id: 5 },
      'GET /v1/topics/mountable': { topics: stored },
    };
    const node = await startNode(({ line }) => [200, answers[line] ?? []]);
    const outcome = await run(`cluster storage mount ${words}`, { env: { WEIR_ADMIN_HOSTS: node.url } });
    expect(outcome.exitCode, outcome.stderr).toBe(0);
    expect(JSON.parse(node.calls.find(({ line }) => line === mounted)?.body ?? '')).toEqual({ topics: [topic] });
  });

  test.each([
    ...['a/b/c', 'a/', '/a', '.', 'a b', 'x/y/67f5505a-32f1-4677-bcad-3c75a1a702a6/z', 'é'].map(
      (one) => `mount '${one}'`,
    ),
    ...['mount a --to a/b/c', 'unmount a/67f5505a-32f1-4677-bcad-3c75a1a702a6/1', 'mount', 'unmount a b'],
    ...['status-mount x', 'status-mount -1', 'cancel-mount 1.5', 'list-mount --filter nope'],
    ...['mount a --wait-timeout 1s', 'restore start --wait-timeout 1s', 'cancel-mount 1 --wait-timeout 1s'],
  ])('%s has exit 2, and nothing is sent', async (line) => {
    const { cluster, switches } = await storageWorld();
    expect((await cluster(`storage ${line}`)).exitCode).toBe(2);
    expect(switches.journal()).toEqual([]);
  });

  test.each(['mount archive', 'mount archive --dry-run', 'list-mountable'])(
    'a cluster without tiered storage: %s has exit 6',
    async (line) => {
      const { cluster } = await adminWorld();
      const { stderr, exitCode } = await cluster(`storage ${line} --format json`);
      const { error } = JSON.parse(stderr);
      expect(error).toMatchObject({ code: 'CONFLICT' });
      expect(error.message).toContain('Requested feature is disabled');
      expect(stderr).toContain('mounting needs tiered storage');
      expect(exitCode).toBe(6);
    },
  );
});

describe('cluster storage unmount', () => {
  test('asks first; no changes nothing, and what is going on is not asked about', async () => {
    const { cluster, changes } = await storageWorld();
    const { stderr, exitCode } = await cluster('storage unmount orders', { terminal: { typed: 'n\n' } });
    expect(stderr).toContain('Unmount topic orders, so that clients can no longer use it, on ');
    expect(exitCode).toBe(1);
    expect(changes()).toEqual([]);
    const [, id] = /migration (\d+)/.exec((await cluster('storage unmount orders --yes')).stdout) ?? [];
    expect(await cluster('storage unmount orders --wait', { terminal: { typed: '' } })).toEqual({
      stdout: `Topic orders is unmounted (migration ${id}).\n`,
      stderr: `topic "orders" is being unmounted already by migration ${id}\n`,
      exitCode: 0,
    });
    expect(await cluster('storage unmount orders')).toMatchObject({
      stderr: `migration ${id} has unmounted topic "orders" already\n`,
      exitCode: 0,
    });
    expect(changes()).toEqual([unmounted]);
  });

  test('--dry-run; an unknown topic has exit 3, one that is internal exit 6', async () => {
    const { cluster, changes } = await storageWorld();
    expect(await cluster('storage unmount orders --dry-run')).toEqual({
      stdout: 'Topic orders would be unmounted.\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await cluster('storage unmount nope')).toEqual({
      stdout: '',
      stderr: 'weir: unable to unmount topic "nope": the cluster has no such topic\n',
      exitCode: 3,
    });
    expect(changes()).toEqual([]);
    const internal = await cluster('storage unmount kafka_internal/tx');
    expect(internal.stderr).toContain('resources that are not eligible');
    expect(internal.exitCode).toBe(6);
  });
});
