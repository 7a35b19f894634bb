import { expect, test } from 'vitest';
import { adminWorld } from '../cluster/admin-world.ts';

const tiered = { seeds: { config: { cloud_storage_enabled: true } } };

test('prints the summary and the sizes', async () => {
  const { cluster } = await adminWorld();
  expect(await cluster('topic describe-storage orders')).toEqual({
    stdout: [
      'SUMMARY',
      '=======',
      'NAME                orders',
      'PARTITIONS          2',
      'REPLICAS            3',
      'CLOUD-STORAGE-MODE  disabled',
      'LAST-UPLOAD         -',
      '',
      'SIZE',
      '====',
      'PARTITION  CLOUD-BYTES  LOCAL-BYTES  TOTAL-BYTES  CLOUD-SEGMENTS  LOCAL-SEGMENTS',
      '0          0            67108864     67108864     0               1',
      '1          0            67108864     67108864     0               1',
      '',
    ].join('\n'),
    stderr: '',
    exitCode: 0,
  });
});

test('a topic without partitions, as an odd server may say, has no replicas', async () => {
  const { json, switches } = await adminWorld();
  const effect = { kind: 'status', status: 200, text: '[]' } as const;
  switches.addFault({ route: 'cluster.partitions.topic', effect });
  expect(await json('topic describe-storage orders')).toMatchObject({ replicas: 0, partitions: [] });
});

test('a single section has no title; -H prints units', async () => {
  const { cluster } = await adminWorld(tiered);
  const text = async (flags: string) => (await cluster(`topic describe-storage orders ${flags}`)).stdout;
  expect(await text('-o')).toBe(
    [
      'PARTITION  CLOUD-START  CLOUD-LAST  LOCAL-START  LOCAL-LAST',
      '0          0            899         0            999',
      '1          0            899         0            999',
      '',
    ].join('\n'),
  );
  expect(await text('-s')).toContain('CLOUD-STORAGE-MODE  full\nLAST-UPLOAD         1000ms\n');
  expect(await text('-s -H')).toContain('LAST-UPLOAD         1s\n');
  expect(await text('-z -H')).toContain('\n0          67.11MB      67.11MB      67.11MB      1               1\n');
  expect(await text('-y')).toBe(
    [
      'PARTITION  LAST-SEGMENT-UPLOAD  LAST-MANIFEST-UPLOAD  METADATA-UPDATE-PENDING',
      '0          1000ms               1000ms                false',
      '1          1000ms               1000ms                false',
      '',
    ].join('\n'),
  );
  const all = await text('-a');
  expect([...all.matchAll(/^[A-Z]+$/gm)].map(([title]) => title)).toEqual(['SUMMARY', 'OFFSETS', 'SIZE', 'SYNC']);
});

test('LAST-UPLOAD is the newest of all partitions, and a read replica shows its last sync', async () => {
  const { json, cluster, switches } = await adminWorld();
  const storage = (age: number) => ({ cloud_storage_mode: 'read_replica', ms_since_last_manifest_sync: age });
  const status = (node: number, body: unknown) =>
    ({ route: 'storage.status', node, effect: { kind: 'status', status: 200, text: JSON.stringify(body) } }) as const;
  // The leaders of both partitions.
  const answer = () => {
    switches.addFault(status(3, { ...storage(5), ms_since_last_manifest_upload: 900 }));
    switches.addFault(status(1, { ...storage(5), ms_since_last_segment_upload: 70 }));
  };
  answer();
  const found = await json('topic describe-storage orders');
  expect(found).toMatchObject({ topic: 'orders', replicas: 3, mode: 'read_replica', last_upload_ms: 70 });
  expect(found.partitions[0]).toMatchObject({ local_bytes: null, last_manifest_sync_ms: 5, error: null });
  answer();
  expect((await cluster('topic describe-storage orders -y')).stdout).toContain('  LAST-MANIFEST-SYNC\n');
});

test('a partition that is refused does not affect the others: exit 1 and the reason', async () => {
  const { cluster, switches } = await adminWorld(tiered);
  const effect = { kind: 'status', status: 422, message: 'no storage here' } as const;
  // The leader of partition 1.
  switches.addFault({ route: 'storage.status', node: 1, effect });
  const { stdout, exitCode } = await cluster('topic describe-storage orders -z');
  expect(stdout).toContain('INVALID_REQUEST: unable to read the storage of orders/1: no storage here (GET ');
  expect(stdout).toMatch(/^0 +67108864 /m);
  expect(exitCode).toBe(1);
});

test('a partition without a leader is asked for once, and does not affect the others: exit 5', async () => {
  const { cluster, ok, switches } = await adminWorld(tiered);
  await ok('POST /v1/cluster/partitions/kafka/orders/1', { body: { disabled: true } });
  const { stdout, exitCode } = await cluster('topic describe-storage orders -z');
  expect(stdout).toMatch(/^0 +67108864 /m);
  expect(stdout).toContain(
    'UNAVAILABLE: unable to read the storage of orders/1: Partition {kafka/orders/1} does not have a leader, cannot redirect (GET ',
  );
  expect(exitCode).toBe(5);
  expect(switches.journal().filter(({ path }) => path.endsWith('/orders/1'))).toHaveLength(2);
});

test('an unknown topic has exit 3, an invalid name exit 2', async () => {
  const { cluster, switches } = await adminWorld();
  const { stderr, exitCode } = await cluster('topic describe-storage nope');
  expect(stderr).toContain('unable to list the partitions of topic nope: topic kafka/nope does not exist (GET ');
  expect(exitCode).toBe(3);
  switches.clearJournal();
  expect((await cluster('topic describe-storage a/b')).exitCode).toBe(2);
  expect(switches.journal()).toEqual([]);
});
