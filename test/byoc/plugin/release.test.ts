import { describe, expect, test } from 'vitest';
import { newestPlugin, pluginOfCluster } from '../../../src/byoc/plugin/release.ts';
import { createPackCalls } from '../../../src/cloud/calls.ts';
import { ApiError } from '../../../src/net/json-api/error.ts';
import { shownUrl } from '../../../src/net/shown-url.ts';
import { failure } from '../../cloud/client.ts';

const target = { os: 'linux', arch: 'amd64' };
const prefix = 'ab12'.repeat(8);
const location = `https://files.example/byoc.${prefix}.tar.gz?X-Signature=secret`;
const artifact = { name: 'byoc-linux-amd64', location, checksumSha256: 'CD34'.repeat(16) };
const pack = { version: '25.2.1', artifacts: [{ name: 'byoc-darwin-arm64' }, artifact, { name: 'other' }] };
const release = {
  ...{ version: '25.2.1', target, location, sha256Prefix: prefix, packedSha256: 'cd34'.repeat(16) },
};
const packs = '/api/v1/clusters-resources/install-pack-versions';

/** The older API with these answers by path; others do not exist. */
function legacy(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const packCalls = createPackCalls({
    async call({ path, read, isLegacy }) {
      expect(isLegacy).toBe(true);
      asked.push(path);
      const answer = answers[path];
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new ApiError(3, 'missing', { status: 404 });
      return read(answer, '');
    },
  });
  return { asked, ...packCalls };
}

describe('the plugin of a cluster', () => {
  const cluster = { spec: { installPackVersion: '25.2.1' } };

  test('is that of its install pack', async () => {
    const cloud = legacy({ '/api/v1/clusters/c%2F1': cluster, [`${packs}/25.2.1`]: pack });
    expect(await pluginOfCluster(cloud, 'c/1', target)).toEqual(release);
    expect(cloud.asked).toEqual(['/api/v1/clusters/c%2F1', `${packs}/25.2.1`]);
  });

  test.each<[string, Readonly<Record<string, unknown>>, string, string]>([
    ['the cluster', {}, 'there is no such cluster', 'c1'],
    ['its install pack', { '/api/v1/clusters/c1': cluster }, 'there is no install pack 25.2.1', '25.2.1'],
    ['its version', { '/api/v1/clusters/c1': { spec: {} } }, 'it has no install pack', 'c1'],
  ])('is not found without %s', async (_, answers, reason, subject) => {
    expect(await failure(pluginOfCluster(legacy(answers), 'c1', target))).toMatchObject({
      ...{ exitCode: 3, message: `unable to find the plugin of cluster c1: ${reason}`, target: subject },
    });
  });

  test('is not found for a cluster of another type, which the hint says how to check', async () => {
    const error = await failure(pluginOfCluster(legacy({ '/api/v1/clusters/c1': {} }), 'c1', target));
    expect(error.hints).toEqual(['check that its type is byoc with: weir cloud cluster get c1']);
  });

  test('is not found because of another error, which is reported as it is', async () => {
    const refused = new ApiError(4, 'no', { status: 403 });
    expect(await failure(pluginOfCluster(legacy({ '/api/v1/clusters/c1': refused }), 'c1', target))).toBe(refused);
  });
});

describe('the newest plugin', () => {
  test.each([
    [['2025-01-01', '2025-03-01', '2025-02-01'], 1],
    [['2025-03-01', 'never', ''], 0],
    [['', '2025-01-01'], 1],
  ])('is that of the last release of %j', async (dates, at) => {
    const all = dates.map((releasedAt, index) => ({ ...pack, version: `25.${index}`, releasedAt }));
    expect((await newestPlugin(legacy({ [packs]: all }), target)).version).toBe(`25.${at}`);
  });

  test.each([[[]], [{}]])('does not exist in %j', async (answer) => {
    expect(await failure(newestPlugin(legacy({ [packs]: answer }), target))).toMatchObject({
      ...{ exitCode: 3, message: 'unable to find a plugin: there is no install pack' },
    });
  });
});

describe('an install pack', () => {
  const read = (part: object) => newestPlugin(legacy({ [packs]: [{ ...pack, ...part }] }), target);

  test.each([undefined, 'no hash', 'cd34'.repeat(15), `${'cd34'.repeat(16)}0`])(
    'with the checksum %j of the download has none',
    async (checksumSha256) => {
      const { packedSha256 } = await read({ artifacts: [{ ...artifact, checksumSha256 }] });
      expect(packedSha256).toBeUndefined();
    },
  );

  test.each<[unknown, string]>([
    [
      [{ name: 'byoc-windows-amd64' }, { name: 'byoc-darwin-arm64' }, { name: 'x' }],
      'byoc-darwin-arm64, byoc-windows-amd64',
    ],
    [[{ name: 'x' }], 'the install pack has no plugin for any system'],
    ['none', 'the install pack has no plugin for any system'],
  ])('without the plugin of this system has a hint: %j', async (artifacts, words) => {
    const error = await failure(read({ artifacts }));
    expect(error).toMatchObject({ exitCode: 3, code: 'PLUGIN_NOT_FOUND', target: 'byoc-linux-amd64' });
    expect(error.message).toBe('install pack 25.2.1 has no plugin byoc-linux-amd64 for this system');
    expect(error.hints).toEqual([expect.stringContaining(words)]);
  });

  test.each(['', '..', '.runs', '-x', 'a/b', 'a\\b', `1${'0'.repeat(100)}`, 'a\nb'])(
    'with the version %j is refused, because it would be a directory',
    async (version) => {
      expect(await failure(read({ version }))).toMatchObject({ exitCode: 1, code: 'PLUGIN_UNVERIFIABLE' });
    },
  );

  test.each(['25.2.20250822', 'v1', '1-rc.1+b_2', `1${'0'.repeat(99)}`])(
    'with the version %s is read',
    async (version) => {
      expect((await read({ version })).version).toBe(version);
    },
  );

  test.each([
    [`https://f/x.${'a'.repeat(16)}.tar.gz`, 'a'.repeat(16)],
    [`https://f/x.${'A'.repeat(64)}.TAR.GZ`, 'a'.repeat(64)],
    [`https://f/x.${'a'.repeat(16)}.tar.gz#part`, 'a'.repeat(16)],
  ])('has the beginning of the sha256 in the location %s', async (at, sha256Prefix) => {
    expect(await read({ artifacts: [{ ...artifact, location: at }] })).toMatchObject({ sha256Prefix });
  });

  test.each([
    `https://f/x.${'a'.repeat(15)}.tar.gz`,
    `https://f/x.${'a'.repeat(65)}.tar.gz`,
    `https://f/x${'a'.repeat(16)}.tar.gz`,
    `https://f/x.${'a'.repeat(16)}.tar.gz.sig`,
    `https://f/x?y=.${'a'.repeat(16)}.tar.gz`,
    `https://f/x.${'g'.repeat(16)}.tar.gz`,
    'nowhere',
  ])('without it in the location %s is refused', async (at) => {
    const [shown = ''] = at.split('?');
    expect(await failure(read({ artifacts: [{ ...artifact, location: at }] }))).toMatchObject({
      ...{ exitCode: 1, code: 'PLUGIN_UNVERIFIABLE', target: shown },
      message: `unable to verify the plugin: the file name in ${shown} does not contain a sha256`,
    });
  });

  test.each([
    [16, undefined, false],
    [31, undefined, false],
    [31, 'b'.repeat(63), false],
    [32, undefined, true],
    [16, 'b'.repeat(64), true],
  ])('%i digits of the sha256 beside the checksum %s suffice: %s', async (digits, checksumSha256, suffice) => {
    const location = `https://f/x.${'a'.repeat(digits)}.tar.gz`;
    const found = read({ artifacts: [{ ...artifact, location, checksumSha256 }] });
    if (suffice) expect((await found).sha256Prefix).toHaveLength(digits);
    else expect(await failure(found)).toMatchObject({ code: 'PLUGIN_UNVERIFIABLE' });
  });
});

test.each([
  ['https://f/x?s=secret', 'https://f/x'],
  ['https://f/x#s', 'https://f/x'],
  ['https://f/x', 'https://f/x'],
])('the location %s is shown without what may be secret', (full, shown) => {
  expect(shownUrl(full)).toBe(shown);
});
