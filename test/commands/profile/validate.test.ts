import { createPrivateKey } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { issue, makeAuthority } from '../../../src/sandbox/certificates.ts';
import { writeWhole } from '../../config/sources/sources.ts';
import { run, temporaryDirectory } from '../../world.ts';

const now = Date.now();
const authority = await makeAuthority('test CA', now);
const first = await issue(authority, { name: 'first', use: 'client' }, now);
const second = await issue(authority, { name: 'second', use: 'client' }, now);

interface CheckRow {
  readonly profile: string | null;
  readonly check: string;
  readonly status: string;
  readonly message: string;
}

async function validate(text: string | undefined, name = '') {
  const home = temporaryDirectory();
  const path = join(home, '.config/weir/weir.yaml');
  if (text !== undefined) writeWhole(path, text);
  writeWhole(join(home, 'there.pem'), '');
  writeWhole(join(home, 'ca.pem'), authority.cert);
  writeWhole(join(home, 'a.pem'), first.cert);
  writeWhole(join(home, 'a.key'), first.key);
  writeWhole(join(home, 'b.key'), second.key);
  const locked = createPrivateKey(first.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  });
  writeWhole(join(home, 'locked.key'), String(locked));
  const { stdout, exitCode } = await run(`profile validate ${name} --format json`, {
    home,
    env: { PATH: process.env.PATH ?? '' },
  });
  const rows = stdout === '' ? [] : (JSON.parse(stdout) as readonly CheckRow[]);
  const faults = rows
    .filter(({ status }) => status !== 'ok')
    .map((row) => `${row.profile} ${row.check} ${row.status}: ${row.message.replaceAll(home, 'HOME')}`);
  return { exitCode, faults };
}

test('a sound file passes every check', async () => {
  const text =
    'current_profile: a\nprofiles:\n  - name: a\n    options: {tls.ca: ~/ca.pem, tls.cert: ~/a.pem, tls.key: ~/a.key, user: u, pass: p}\n';
  expect(await validate(text)).toEqual({ exitCode: 0, faults: [] });
});

test('every fault is named, and the exit code is 10', async () => {
  const text = `current_profile: c
profiles:
  - name: a
    options: {tls.cert: /nonexistent.pem, sasl.mechanism: PLAIN, globals.prompt: purple}
  - name: b
    options: {usr: x, admin.hosts: "http://h", admin.tls.enabled: true, user: u}
`;
  const { exitCode, faults } = await validate(text);
  expect(exitCode).toBe(10);
  expect(faults).toEqual([
    'null selection failed: HOME/.config/weir/weir.yaml:1: profile "c" does not exist',
    'a tls failed: tls.cert is set without tls.key',
    'a tls failed: tls.cert: unable to read /nonexistent.pem: no such file',
    'a sasl warning: sasl.mechanism is set, but user is not',
    'a prompt failed: invalid prompt format at character 1: unknown modifier "purple"',
    'b options failed: unknown option "usr" in HOME/.config/weir/weir.yaml:6 (profile b)',
    'b options failed: admin.hosts (HOME/.config/weir/weir.yaml:6 (profile b)) has an http:// address, but admin.tls.enabled (HOME/.config/weir/weir.yaml:6 (profile b)) is true',
    'b sasl warning: user is set, but pass is not: set WEIR_PASS',
  ]);
  expect((await validate(text, 'a')).faults.some((fault) => fault.startsWith('b '))).toBe(false);
});

test('a file that is not YAML, no file, and a profile that does not exist', async () => {
  expect(await validate('a: "b')).toMatchObject({
    exitCode: 10,
    faults: [expect.stringContaining('weir.yaml:1: a quote before it is not closed')],
  });
  expect(await validate(undefined)).toMatchObject({
    exitCode: 0,
    faults: [expect.stringContaining('null file warning: the file')],
  });
  expect(await validate('profiles: []', 'x')).toEqual({ exitCode: 3, faults: [] });
});

test.each([
  ['a key of another certificate', 'tls.cert: ~/a.pem, tls.key: ~/b.key', 'tls.key does not match tls.cert'],
  ['a passphrase', 'tls.cert: ~/a.pem, tls.key: ~/locked.key', 'tls.key is protected by a passphrase'],
  ['a file that is no certificate', 'tls.ca: ~/there.pem', 'invalid tls.ca: there is no PEM certificate in "'],
  [
    'files of another API',
    'registry.tls.cert: ~/a.pem, registry.tls.key: ~/b.key',
    'registry.tls.key does not match registry.tls.cert',
  ],
])('certificates are loaded as the client does: %s', async (_, options, fault) => {
  const { exitCode, faults } = await validate(`profiles:\n  - name: a\n    options: {${options}}\n`);
  expect(exitCode).toBe(10);
  expect(faults).toEqual([expect.stringContaining(fault)]);
});

test.each([
  ['user: u', ['a sasl warning: user is set, but pass is not: set WEIR_PASS']],
  ['pass: p', ['a sasl warning: pass is set, but user is not']],
  ['sasl.mechanism: PLAIN, pass: p', ['a sasl warning: sasl.mechanism is set, but user is not']],
  ['sasl.mechanism: PLAIN, user: u, pass: p', []],
  ['sasl.mechanism: "", user: ""', []],
])('the options {%s} have these gaps: %j', async (options, faults) => {
  expect(await validate(`profiles:\n  - name: a\n    options: {${options}}\n`)).toEqual({ exitCode: 0, faults });
});

test.each([
  ['tls.key: ~/a.key', ['a tls failed: tls.key is set without tls.cert']],
  [
    'admin.tls.cert: ~/a.pem, registry.tls.key: ~/a.key',
    [
      'a tls failed: admin.tls.cert is set without admin.tls.key',
      'a tls failed: registry.tls.key is set without registry.tls.cert',
    ],
  ],
  ['tls.ca: none/ca.pem', ['a tls failed: tls.ca: unable to read HOME/.config/weir/none/ca.pem: no such file']],
  ['tls.ca: ../../ca.pem, admin.tls.ca: ~/ca.pem', []],
])('the TLS files {%s} have these faults: %j', async (options, faults) => {
  const exitCode = faults.length === 0 ? 0 : 10;
  expect(await validate(`profiles:\n  - name: a\n    options: {${options}}\n`)).toEqual({ exitCode, faults });
});

test.each([
  ['nosuch-program x', ['a secrets failed: pass.command: there is no program "nosuch-program"']],
  ['~/ca.pem', ['a secrets failed: pass.command: there is no program "~/ca.pem"']],
  ['sh -c "exit 1"', []],
])('the command {%s} is looked for, but not run: %j', async (command, faults) => {
  const options = `{user: u, pass.command: '${command}'}`;
  expect((await validate(`profiles:\n  - name: a\n    options: ${options}\n`)).faults).toEqual(faults);
});

test('every check that passed is a row, too, and other users are warned about', async () => {
  const home = temporaryDirectory();
  const path = join(home, 'w.yaml');
  writeWhole(path, 'current_profile: a\nprofiles: [{name: a}, {name: b}]\n');
  const rows = async (name: string) => {
    const { stdout } = await run(`profile validate ${name} --config w.yaml --format json`, { home, cwd: home });
    return (JSON.parse(stdout) as readonly CheckRow[]).map((row) => [row.profile, row.check, row.status, row.message]);
  };
  const ofFile = [
    [null, 'file', 'ok', ''],
    [null, 'selection', 'ok', ''],
    [null, 'permissions', 'ok', ''],
  ];
  const ofProfile = (name: string) => ['options', 'tls', 'sasl', 'prompt'].map((check) => [name, check, 'ok', '']);
  expect(await rows('')).toEqual([...ofFile, ...ofProfile('a'), ...ofProfile('b')]);
  expect(await rows('b')).toEqual([...ofFile, ...ofProfile('b')]);
  chmodSync(path, 0o644);
  expect((await rows('b'))[2]).toEqual([
    ...[null, 'permissions', 'warning', `other users can read it: run chmod 600 ${path}`],
  ]);
});
