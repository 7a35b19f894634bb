import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { licenseInfo, licenseWarnings } from '../../../src/commands/cluster/license/license-text.ts';
import { writeLicense } from '../../../src/sandbox/admin/config/license.ts';
import { sandboxTrial, startAt } from '../../sandbox/admin/simulator.ts';
import { skipPauses } from '../../skipped-pauses.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { adminWorld } from './admin-world.ts';
import { interruptedEverywhere } from './interrupted-everywhere.ts';

const dayMs = 86_400_000;
const enterprise = writeLicense({ organization: 'acme', type: 'enterprise', expires: startAt / 1000 + 400 * 86_400 });
const put = 'PUT /v1/features/license';
const now = startAt;

/** A file with this text. */
function fileOf(text: string): string {
  const file = join(mkdtempSync(join(temporaryDirectory(), 'license-')), 'x.license');
  writeFileSync(file, text);
  return file;
}

beforeEach(skipPauses);

describe('cluster license info', () => {
  test('without a license', async () => {
    const { cluster, json } = await adminWorld();
    expect(await cluster('license info', { now })).toEqual({
      stdout: [
        'LICENSE INFORMATION',
        '===================',
        'License status:     not_present',
        'License violation:  false',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await json('license status', { now })).toEqual({
      ...{ license_status: 'not_present', license_violation: false, enterprise_features_in_use: [] },
      ...{ organization: null, type: null, expires: null, expires_unix: null, days_left: null },
      ...{ license_expired: null, checksum_sha256: null, products: null },
    });
  });

  test('with a license and features that need it', async () => {
    const { cluster, json } = await adminWorld({ seeds: { license: enterprise, config: { audit_enabled: true } } });
    expect(await cluster('license info', { now })).toEqual({
      stdout: [
        'LICENSE INFORMATION',
        '===================',
        'License status:              valid',
        'License violation:           false',
        'Enterprise features in use:  [audit_logging]',
        'Organization:                acme',
        'Type:                        enterprise',
        'Expires:                     2031-02-05T00:00:00Z',
        'Days left:                   400',
        '',
      ].join('\n'),
      stderr: '',
      exitCode: 0,
    });
    expect(await json('license info', { now })).toMatchObject({
      ...{ organization: 'acme', expires_unix: startAt / 1000 + 400 * 86_400, days_left: 400, license_expired: false },
      checksum_sha256: expect.stringMatching(/^[\da-f]{64}$/),
    });
  });

  test('that has expired while features are in use: two warnings', async () => {
    const { cluster, switches } = await adminWorld({
      seeds: { license: sandboxTrial, config: { audit_enabled: true } },
    });
    await switches.advance(32 * dayMs);
    const { stdout, stderr, exitCode } = await cluster('license info', { now: now + 32 * dayMs });
    expect(stderr).toBe(
      'warning: the trial license expired 2 days ago, at 2030-01-31T00:00:00Z; load another one with: weir cluster license set --file FILE\n' +
        'warning: enterprise features are in use without a valid license (audit_logging)\n',
    );
    expect(stdout).toContain('License status:              expired\nLicense violation:           true\n');
    expect(stdout).toContain('License expired:             true\n');
    expect(exitCode).toBe(0);
  });

  test('of an older version, which does not report features', async () => {
    const { cluster, json, switches } = await adminWorld({ seeds: { license: enterprise } });
    switches.addFault({ route: 'license.enterprise', effect: { kind: 'status', status: 404 }, times: null });
    expect(await json('license info', { now })).toMatchObject({
      ...{ license_status: 'valid', license_violation: null, enterprise_features_in_use: null },
    });
    expect((await cluster('license info', { now })).stdout).not.toContain('violation');
    expect(await json('license info', { now: now + 500 * dayMs })).toMatchObject({ license_status: 'expired' });
  });

  test('of Redpanda 26.1, which names the organization only to users who log in', async () => {
    const users = [{ name: 'root', password: 'root-pass' }];
    const { cluster, json } = await adminWorld({
      settings: { release: '26.1' },
      seeds: { license: enterprise, users },
    });
    const { stdout, stderr, exitCode } = await cluster('license info', { now });
    expect(stdout).toMatch(/Organization: +-\nType: +enterprise\nProducts: +\[streaming\]\n/);
    expect(stderr).toBe(
      'the cluster names the organization only to users who log in: set -X user=TEXT and WEIR_PASS\n',
    );
    expect(exitCode).toBe(0);
    const env = { WEIR_USER: 'root', WEIR_PASS: 'root-pass' };
    expect(await json('license info', { now, env })).toMatchObject({ organization: 'acme', products: ['streaming'] });
    expect((await cluster(`license set --file ${fileOf(enterprise)}`, { now })).stdout).toBe(
      'The license (enterprise, until 2031-02-05T00:00:00Z) is loaded.\n',
    );
  });

  test('is that of the leader, wherever that is', async () => {
    const { json, switches } = await adminWorld({ seeds: { license: enterprise } });
    switches.moveController({ to: 2, electionMs: 0 });
    await switches.advance(1000);
    await json('license info', { now });
    expect(switches.journal().find(({ route }) => route === 'license.get')).toMatchObject({ node: 2 });
  });
});

describe('the warning about the end of a license', () => {
  const warningAt = (type: string, leftMs: number): string | undefined =>
    licenseWarnings(
      licenseInfo(
        { organization: 'a', type, expires: (now + leftMs) / 1000, checksum: null, products: null },
        undefined,
        now,
      ),
    )[0]?.split(',')[0];
  test.each([
    ['enterprise', 30 * dayMs, undefined],
    ['enterprise', 30 * dayMs - 1000, 'the license expires in 29 days'],
    ['free_trial', 15 * dayMs, undefined],
    ['free_trial', 15 * dayMs - 1000, 'the trial license expires in 14 days'],
    ['other', 1.5 * dayMs, 'the license expires in 1 day'],
    ['enterprise', 1000, 'the license expires in less than a day'],
    ['enterprise', 0, 'the license expired less than a day ago'],
    ['enterprise', -dayMs + 1000, 'the license expired less than a day ago'],
    ['enterprise', -dayMs, 'the license expired 1 day ago'],
    ['enterprise', -10.5 * dayMs, 'the license expired 10 days ago'],
  ])('%s with %i ms left', (type, left, expected) => {
    expect(warningAt(type, left)).toBe(expected);
  });

  test('an end that no calendar has is shown without a date', () => {
    const info = licenseInfo(
      { organization: 'a', type: 'b', expires: 1e18, checksum: null, products: null },
      undefined,
      now,
    );
    expect(info).toMatchObject({ expires: null, license_expired: false });
    const last = licenseInfo(
      { organization: 'a', type: 'b', expires: 8.64e12, checksum: null, products: null },
      undefined,
      now,
    );
    expect(last.expires).toBe('+275760-09-13T00:00:00Z');
  });
});

describe('cluster license set', () => {
  test('loads a license from a file, and says which one it replaces', async () => {
    const { cluster, json, changes } = await adminWorld();
    expect(await cluster(`license set --file ${fileOf(`${enterprise}\n`)}`, { now })).toEqual({
      stdout: 'The license of acme (enterprise, until 2031-02-05T00:00:00Z) is loaded.\n',
      stderr: '',
      exitCode: 0,
    });
    expect(await cluster(`license set --path ${fileOf(enterprise)}`, { now })).toMatchObject({
      stdout: 'The license of acme (enterprise, until 2031-02-05T00:00:00Z) is loaded.\n',
      stderr: 'the cluster has this license already\n',
    });
    const last = writeLicense({ organization: 'b\u001b[1m', type: 'free_trial', expires: now / 1000 + 5 * 86_400 });
    expect(await cluster('license set --file -', { now, stdin: `${last}\n` })).toEqual({
      stdout:
        'The license of b\\u001b[1m (free_trial, until 2030-01-06T00:00:00Z) is loaded; it replaces that of acme (enterprise, until 2031-02-05T00:00:00Z).\n',
      stderr:
        'warning: the trial license expires in 5 days, at 2030-01-06T00:00:00Z; load another one with: weir cluster license set --file FILE\n',
      exitCode: 0,
    });
    expect(await json(`license set --file ${fileOf(enterprise)}`, { now })).toMatchObject({
      ...{ organization: 'acme', status: 'OK', previous: { type: 'free_trial' } },
    });
    expect(changes()).toEqual([put, put, put, put]);
  });

  test('--dry-run reads the license and sends nothing', async () => {
    const { cluster, json, changes } = await adminWorld({ seeds: { license: enterprise } });
    expect(await cluster(`license set --file ${fileOf('x')} --dry-run`, { now })).toEqual({
      stdout:
        'The license would be sent to the cluster, which checks it and replaces that of acme (enterprise, until 2031-02-05T00:00:00Z).\n',
      stderr: 'dry run: nothing was changed\n',
      exitCode: 0,
    });
    expect(await json(`license set --file ${fileOf('x')} --dry-run`, { now })).toMatchObject({
      ...{ status: 'OK', dry_run: true },
    });
    expect(changes()).toEqual([]);
    const none = await adminWorld();
    expect((await none.cluster(`license set --file ${fileOf('x')} --dry-run`)).stdout).toBe(
      'The license would be sent to the cluster, which checks it.\n',
    );
  });

  test.each([
    ['license set abc --file x', 2],
    [`license set ''`, 2],
    ['license set --file /nowhere', 2],
    ['license set --file -', 2],
    ['license set', 2],
  ])('%s has exit %i, and nothing is sent', async (line, exitCode) => {
    const { cluster, switches } = await adminWorld();
    expect((await cluster(line)).exitCode).toBe(exitCode);
    expect(switches.journal()).toEqual([]);
  });

  test('without a license anywhere says how to give one', async () => {
    const { cluster } = await adminWorld();
    expect((await cluster('license set')).stderr).toBe(
      'weir: no license is given, and /etc/redpanda/redpanda.license cannot be used\n' +
        'hint: name a file with --file FILE, or use standard input with --file -\n',
    );
  });

  test('on the command line works, with a warning', async () => {
    const { api } = await adminWorld();
    const env = { WEIR_ADMIN_HOSTS: api.addresses.join(',') };
    const outcome = await run(['cluster', 'license', 'set', enterprise], { env, now });
    expect(outcome.stderr).toBe(
      'warning: other users of this machine can see a license on the command line; use --file\n',
    );
    expect(outcome.exitCode).toBe(0);
  });

  test.each([
    ['malformed', 'A'.repeat(200)],
    ['signed by nobody', `${enterprise.split('.')[0]}.AAAAAAAAAAAAAAAA`],
  ])('a license that is %s is refused in the words of the server, exit 1, and never shown', async (_, license) => {
    const { cluster, api } = await adminWorld();
    const first = await cluster(`license set --file ${fileOf(license)}`);
    expect(first.stderr).toMatch(/^weir: unable to load the license: .*license.* \(PUT \S+: 400\)\n$/);
    expect(first.exitCode).toBe(1);
    const loud = await run(['cluster', 'license', 'set', license, '-vv', '--trace', '-', '--format', 'json'], {
      env: { WEIR_ADMIN_HOSTS: api.addresses.join(',') },
    });
    expect(first.stdout + first.stderr + loud.stdout + loud.stderr).not.toContain(license.slice(0, 12));
  });

  test('a server that repeats the license, or a part of it, does not get it shown', async () => {
    const { cluster, switches } = await adminWorld();
    const message = `bad license "${enterprise}." near ${enterprise.slice(20, 60)}...`;
    const effect = { kind: 'status', status: 503, message } as const;
    switches.addFault({ route: 'license.set', effect, times: null });
    const { stderr, exitCode } = await cluster(`license set -vv --file ${fileOf(enterprise)}`);
    expect(exitCode).toBe(5);
    expect(stderr).toContain('bad license "…" near …');
    expect(stderr).not.toContain(enterprise.slice(20, 32));
  });

  test('an expired one is refused', async () => {
    const { cluster } = await adminWorld();
    const old = writeLicense({ organization: 'a', type: 'enterprise', expires: now / 1000 - 1 });
    const { stderr, exitCode } = await cluster(`license set --file ${fileOf(old)}`);
    expect(stderr).toContain('the license has expired');
    expect(exitCode).toBe(1);
  });

  test('is repeated when the answer is lost or the leader moves, because the same license is accepted again', async () => {
    const { cluster, changes, switches } = await adminWorld();
    switches.addFault({ route: 'license.set', effect: { kind: 'drop', when: 'before' } });
    switches.addFault({ route: 'license.set', effect: { kind: 'move-controller', electionMs: 1000 }, skip: 1 });
    const outcome = await cluster(`license set --file ${fileOf(enterprise)}`, { now });
    expect(outcome, outcome.stderr).toMatchObject({ exitCode: 0 });
    expect(changes().length).toBeGreaterThan(2);
  });

  test('a license that is loaded but cannot be read back is a success with a warning', async () => {
    const { cluster, switches } = await adminWorld();
    switches.addFault({ route: 'license.get', effect: { kind: 'status', status: 403, message: 'no' }, skip: 1 });
    const outcome = await cluster(`license set --file ${fileOf(enterprise)}`, { now });
    expect(outcome).toMatchObject({ stdout: 'The license is loaded.\n', exitCode: 0 });
    expect(outcome.stderr).toMatch(/^warning: the license was loaded, but could not be read back: .* no \(GET/);
  });

  test('interrupted at every request and repeated, it ends the same', async () => {
    const line = `license set --file ${fileOf(enterprise)}`;
    const { reports } = await interruptedEverywhere({
      ...{ make: adminWorld, line },
      async resume({ world, where }) {
        expect(await world.cluster(line, { now }), where).toMatchObject({ exitCode: 0 });
      },
    });
    expect(reports).toEqual([
      'weir: stopped before anything was changed\nhint: repeat the command\n',
      'weir: stopped while loading the license: the request may or may not have arrived\n' +
        'hint: check with: weir cluster license info\n',
      'weir: the license has been loaded\nhint: see it with: weir cluster license info\n',
    ]);
  });
});
