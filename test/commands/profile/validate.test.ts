import { createPrivateKey } from 'node:crypto';
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
  const { stdout, exitCode } = await run(`profile validate ${name} --format json`, { home });
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
    'a tls failed: tls.cert: unable to read /nonexistent.pem: it does not exist',
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
    faults: [expect.stringContaining('weir.yaml:1: Missing closing "quote')],
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
