import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { skipPauses } from '../../../skipped-pauses.ts';
import { adminWorld } from '../admin-world.ts';
import { interruptedEverywhere } from '../interrupted-everywhere.ts';
import { imported, put, setIn, withFile } from './config-import.ts';

beforeEach(skipPauses);

describe('cluster config import', () => {
  test('somebody else changes the configuration while weir asks: exit 6, and nothing is changed', async () => {
    const world = await adminWorld({ seeds: { config: { log_retention_ms: 1000 } } });
    const before = await adminWorld({ seeds: { config: { log_retention_ms: 1000 } } });
    await imported(before, 'enable_sasl: true\n', '--yes --dry-run');
    const routes = before.switches.journal().map(({ route }) => route);
    // Two requests read the configuration for the plan, and two once more before the change.
    expect(routes.filter((route) => route === 'config.get')).toHaveLength(4);
    const at = routes.lastIndexOf('config.get') - 1;
    world.whenAfter(at, () => world.ok(put, { body: { upsert: { superusers: ['eve'] }, remove: [] } }));
    const { stderr, exitCode } = await imported(world, 'enable_sasl: true\n', '--yes');
    expect(stderr).toContain('weir: the configuration was changed by someone else in the meantime: superusers\n');
    expect(exitCode).toBe(6);
    expect(world.changes()).toEqual([put]);
  });

  test('--wait ends when every broker has the change, also one that comes back', async () => {
    const world = await adminWorld();
    await world.switches.stopNode(3);
    world.whenAfter('config.change', () =>
      world.whenAfter(world.switches.journal().length + 4, () => world.switches.startNode(3)),
    );
    const { stdout, stderr, exitCode } = await imported(world, 'enable_sasl: true\n', '--wait -v');
    expect(exitCode).toBe(0);
    expect(stderr).toContain('waiting for the distribution of configuration version 2\n');
    expect(stderr).not.toContain('not have version');
    expect(stdout).toContain('The configuration has version 2.\n');
    expect(await world.json('config status')).toEqual(
      [0, 1, 2, 3].map((id) => ({ id, config_version: 2, needs_restart: false, invalid: [], unknown: [] })),
    );
  });

  test('the wait ends at its limit with exit 5, and says how to wait again', async () => {
    const world = await adminWorld();
    await world.switches.stopNode(3);
    const { stderr, exitCode } = await imported(world, 'enable_sasl: true\n', '--wait --wait-timeout 30s');
    expect(stderr).toBe(
      [
        'weir: the distribution of configuration version 2 was not done within 30s (--wait-timeout); it is still running',
        'hint: raise the limit with --wait-timeout DURATION',
        'hint: resume waiting with: weir cluster config status --wait',
        '',
      ].join('\n'),
    );
    expect(exitCode).toBe(5);
  });

  test('interrupted at every request and repeated, it ends the same', async () => {
    const line = `config import --file ${join(withFile('enable_sasl: true\n').cwd, 'cluster.yaml')} --wait`;
    const { routes, reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where }) {
        expect(await world.cluster(line), where).toMatchObject({ exitCode: 0 });
        expect(new Set(world.changes())).toEqual(new Set([put]));
        expect(await setIn(world)).toEqual({ enable_sasl: true });
      },
    });
    expect(routes.length).toBeGreaterThan(routes.indexOf('config.change') + 2);
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while changing the configuration: the request may or may not have arrived\n' +
        'hint: check with: weir cluster config status\n',
      'weir: stopped waiting for the distribution of configuration version 2; it is still running\n' +
        'hint: resume waiting with: weir cluster config status --wait\n',
    ]);
  });
});

describe('cluster config status', () => {
  test('prints the columns of rpk', async () => {
    const world = await adminWorld({ settings: {}, seeds: { config: { frob: 1, log_segment_size: 'x' } } });
    await world.ok(put, { body: { upsert: { append_chunk_size: 8192 }, remove: [] } });
    expect(await world.cluster('config status')).toEqual({
      stdout: [
        'NODE  CONFIG-VERSION  NEEDS-RESTART  INVALID             UNKNOWN',
        '0     2               true           [log_segment_size]  [frob]',
        '1     1               false          [log_segment_size]  [frob]',
        '2     1               false          [log_segment_size]  [frob]',
        '3     1               false          [log_segment_size]  [frob]',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
  });

  test('--wait ends when every broker has the latest version', async () => {
    const world = await adminWorld();
    await world.ok(put, { body: { upsert: { enable_sasl: true }, remove: [] } });
    const rows: readonly { config_version: number }[] = await world.json('config status --wait');
    expect(rows.map((one) => one.config_version)).toEqual([2, 2, 2, 2]);
  });
});

test.each(['config set enable_usage true', 'config import --file cluster.yaml'])(
  '%s: a change that another client makes right after it is told',
  async (line) => {
    const world = await adminWorld();
    world.whenAfter('config.change', () => world.ok(put, { body: { upsert: { enable_usage: false }, remove: [] } }));
    const { stderr, exitCode } = await world.cluster(line, withFile('enable_usage: true\n'));
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'warning: someone else has changed the configuration since (version 3): it may not have these values any more\n',
    );
  },
);
