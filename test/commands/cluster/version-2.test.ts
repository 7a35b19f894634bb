import { beforeEach, expect, test } from 'vitest';
import { skipPauses } from '../../skipped-pauses.ts';
import { adminWorld } from './admin-world.ts';

beforeEach(skipPauses);

const held = { heldVersion: 18, config: { features_auto_finalization: false } };

test.each([
  ['connections list', 'unable to list the connections: this cluster does not have lists of connections', '25.3'],
  ['upgrade status', 'unable to read the state of the upgrade', '26.2'],
  ['upgrade finalize --yes', 'unable to read the state of the upgrade', '26.2'],
  ['iceberg status', 'unable to read the state of Iceberg: this cluster does not have reports about Iceberg', '26.2'],
])('%s: a cluster of an earlier release does not have it (exit 1)', async (line, message, since) => {
  const { cluster } = await adminWorld();
  const { stderr, exitCode } = await cluster(line);
  expect(stderr).toContain(message);
  expect(stderr).toContain(`need Redpanda ${since} or newer: see the version with weir cluster brokers list\n`);
  expect(exitCode).toBe(1);
});

test('connections list: without a license, and while a broker is down, the server lists none', async () => {
  const { cluster, switches } = await adminWorld({ settings: { release: '25.3', licenseNeeded: true } });
  expect(await cluster('connections list')).toMatchObject({
    stderr: expect.stringContaining('unable to list the connections: Invalid license: not present'),
    exitCode: 6,
  });
  switches.changeSettings({ licenseNeeded: false });
  expect((await cluster('connections list')).exitCode).toBe(0);
});

test('upgrade finalize: a broker that is down is the reason, and nothing is requested (exit 6)', async () => {
  const brokers = [0, 1, 2].map((id) => ({ id, rack: null, alive: id !== 1 }));
  const world = await adminWorld({ settings: { release: '26.2' }, seeds: held, cluster: { brokers } });
  expect((await world.json('upgrade status')).state).toBe('UPGRADE_IN_PROGRESS');
  expect(await world.cluster('upgrade finalize --yes')).toMatchObject({
    stderr:
      'weir: unable to finalize the upgrade: broker 1 is down\nhint: see the brokers with: weir cluster upgrade status\n',
    exitCode: 6,
  });
  expect(world.changes().filter((line) => line.endsWith('FinalizeUpgrade'))).toEqual([]);
});

test('upgrade finalize: brokers with different versions are a reason as well (exit 6)', async () => {
  const world = await adminWorld({ settings: { release: '26.2' }, seeds: held });
  const member = { versionKnown: true, alive: true, releaseVersion: '' };
  const body = {
    ...{ state: 'FINALIZATION_STATE_UPGRADE_IN_PROGRESS', activeVersion: '18', versionAfterFinalization: '18' },
    autoFinalizationEnabled: false,
    members: ['19', '18'].map((logicalVersion, nodeId) => ({ ...member, nodeId, logicalVersion })),
  };
  world.switches.addFault({ route: 'v2.upgrade.status', effect: { kind: 'status', status: 200, body } });
  expect(await world.cluster('upgrade finalize --yes')).toMatchObject({
    stderr: expect.stringContaining('unable to finalize the upgrade: broker 1 has the version 18, not 19\n'),
    exitCode: 6,
  });
  expect(world.changes().filter((line) => line.endsWith('FinalizeUpgrade'))).toEqual([]);
});

test('upgrade finalize: a cluster that finalizes upgrades by itself is left to do so (exit 6)', async () => {
  const world = await adminWorld({ settings: { release: '26.2' }, seeds: { heldVersion: 18 } });
  expect(await world.cluster('upgrade finalize --yes')).toMatchObject({
    stderr: expect.stringContaining('unable to finalize the upgrade: the cluster finalizes upgrades automatically'),
    exitCode: 6,
  });
});

test.each([
  [false, 'frontend not initialized', 'see weir cluster config get iceberg_enabled'],
  [true, "couldn't get coordinator partition count", 'no Iceberg topic has been written yet'],
])(
  'iceberg status: without Iceberg (enabled: %s), the command fails at once (exit 6)',
  async (isEnabled, why, hint) => {
    const { cluster } = await adminWorld({
      settings: { release: '26.2' },
      seeds: { config: { iceberg_enabled: isEnabled } },
    });
    // This takes effect only after a restart.
    await cluster('config set iceberg_enabled true --yes');
    const { stderr, exitCode } = await cluster('iceberg status');
    expect(stderr).toContain(`unable to read the state of Iceberg: Datalake coordinator ${why}`);
    expect(stderr).toContain(hint);
    expect(exitCode).toBe(6);
  },
);

test('iceberg status: a catalog that cannot be reached is the result, also of a topic without a state (exit 10)', async () => {
  const { cluster } = await adminWorld({
    settings: { release: '26.2' },
    seeds: {
      config: { iceberg_enabled: true },
      iceberg: { topics: [], failure: { errorCode: 'timedout', errorMessage: 'no answer' } },
    },
  });
  const { stdout, stderr, exitCode } = await cluster('iceberg status orders');
  expect(stdout).toContain('Reachable:  false\nError:      timedout: no answer\n');
  expect(stderr).toBe('topic "orders" has no Iceberg state\n');
  expect(exitCode).toBe(10);
});
