import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTls, type TlsOptions } from '../../src/net/tls.ts';
import { issue, makeAuthority } from '../../src/sandbox/certificates.ts';
import { failureOf } from '../services/scripted-client.ts';

let directory: string;
const file = (name: string): string => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-tls-'));
  const now = Date.now();
  const authority = await makeAuthority('test CA', now);
  const [one, other] = await Promise.all([
    issue(authority, { name: 'one', use: 'client' }, now),
    issue(authority, { name: 'other', use: 'client' }, now),
  ]);
  const broken = authority.cert.replace(/\n[A-Za-z0-9+/]{20}/, '\n!!!!!!!!!!!!!!!!!!!!');
  const texts = { 'ca.pem': authority.cert, 'cert.pem': one.cert, 'key.pem': one.key, 'other-key.pem': other.key };
  const wrong = { 'broken.pem': broken, 'empty.pem': '', 'text.pem': 'hello\n' };
  for (const [name, text] of Object.entries({ ...texts, ...wrong })) await writeFile(file(name), text);
  await symlink('/dev/zero', file('device.pem'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function options(files: { ca?: string; cert?: string; key?: string }, rest: Partial<TlsOptions> = {}): TlsOptions {
  const at = (name: string | undefined): string | undefined => (name === undefined ? undefined : file(name));
  return {
    ca: at(files.ca),
    cert: at(files.cert),
    key: at(files.key),
    insecureSkipVerify: false,
    keyPrefix: 'tls',
    ...rest,
  };
}

describe('TLS files', () => {
  test('are read; the CA replaces the roots of the system', async () => {
    const material = await readTls(options({ ca: 'ca.pem', cert: 'cert.pem', key: 'key.pem' }));
    expect(material.ca).toContain('BEGIN CERTIFICATE');
    expect(material.cert).toContain('BEGIN CERTIFICATE');
    expect(material.key).toContain('PRIVATE KEY');
    expect(material.rejectUnauthorized).toBe(true);
  });

  test('of any editor are given to the TLS library as they were checked', async () => {
    const [ca = '', key = ''] = await Promise.all(['ca.pem', 'key.pem'].map((name) => readFile(file(name), 'utf8')));
    const edited = (pem: string) =>
      `\ufefftext before\r\n${pem.replace(/^/gm, '  ').replaceAll('\n', '  \r\n')}\r\n\r\n`;
    await writeFile(file('edited-ca.pem'), edited(ca));
    await writeFile(file('edited-key.pem'), edited(key));
    const material = await readTls(options({ ca: 'edited-ca.pem', cert: 'cert.pem', key: 'edited-key.pem' }));
    expect(material).toMatchObject({ ca: new X509Certificate(ca).toString(), key });
  });

  test('are optional: without a CA the roots of Node and of the machine are trusted', async () => {
    const material = await readTls(options({}));
    expect((material.ca as string[]).length).toBeGreaterThan(50);
    expect(material.rejectUnauthorized).toBe(true);
  });

  test('verification is left out only when asked for', async () => {
    expect((await readTls(options({}, { insecureSkipVerify: true }))).rejectUnauthorized).toBe(false);
  });

  test.each([
    ['a certificate without a key', { cert: 'cert.pem' }, 'tls.cert is set without tls.key', 'tls.key'],
    ['a key without a certificate', { key: 'key.pem' }, 'tls.key is set without tls.cert', 'tls.cert'],
    ['a file that is not there', { ca: 'none.pem' }, 'none.pem (tls.ca): no such file', 'tls.ca'],
    ['a directory', { ca: '.' }, ' (tls.ca): it is a directory', 'tls.ca'],
    ['a device', { ca: 'device.pem' }, 'device.pem (tls.ca): it is larger than 16384 KiB', 'tls.ca'],
    ['an empty file', { ca: 'empty.pem' }, 'invalid tls.ca: there is no PEM certificate in "', 'tls.ca'],
    [
      'a file of something else',
      { cert: 'text.pem', key: 'key.pem' },
      'invalid tls.cert: there is no PEM certificate in "',
      'tls.cert',
    ],
    [
      'a certificate in place of the key',
      { cert: 'cert.pem', key: 'cert.pem' },
      'invalid tls.key: there is no PEM private key in "',
      'tls.key',
    ],
    ['a broken certificate', { ca: 'broken.pem' }, 'invalid tls.ca: certificate 1 in "', 'tls.ca'],
    [
      'a key of another certificate',
      { cert: 'cert.pem', key: 'other-key.pem' },
      'tls.key does not match tls.cert',
      'tls.key',
    ],
  ])('%s is refused before anything is dialed, naming the option', async (_what, files, message, target) => {
    const error = await failureOf(readTls(options(files)));
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ exitCode: 2, code: 'TLS_CONFIG', target });
  });

  test('name the options of the API they belong to', async () => {
    const error = await failureOf(readTls(options({ cert: 'cert.pem' }, { keyPrefix: 'admin.tls' })));
    expect(error.message).toBe('admin.tls.cert is set without admin.tls.key');
    expect(error.hints).toEqual(['set both for a client certificate: -X admin.tls.key=FILE']);
  });
});

test.each(['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'])(
  'without tls.ca the roots of this machine count, beside those of Node.js: %s',
  async (variable) => {
    const program = `
      const { readTls } = await import(${JSON.stringify(new URL('../../src/net/tls.ts', import.meta.url).href)});
      const { ca } = await readTls({ insecureSkipVerify: false, keyPrefix: 'tls' });
      const squeeze = (pem) => pem.replace(/\\s/g, '');
      const wanted = squeeze((await import('node:fs')).readFileSync(${JSON.stringify(file('ca.pem'))}, 'utf8'));
      console.log(ca.length, ca.some((pem) => squeeze(pem) === wanted));`;
    const node = resolve('node_modules/node/bin/node');
    const { stdout } = await execa(node, ['--input-type=module', '-e', program], {
      env: { PATH: process.env.PATH, [variable]: file('ca.pem') },
      extendEnv: false,
    });
    expect(stdout).toMatch(/^\d{2,} true$/);
  },
);
