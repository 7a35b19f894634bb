import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, test } from 'vitest';
import { pack } from '../../.ci/release/archive.ts';
import { fill, makeManifests, manifests } from '../../.ci/release/manifests.ts';
import { sumOf } from '../../.ci/release/sums.ts';
import { archiveName, targets } from '../../.ci/release/targets.ts';

const place = mkdtempSync(join(tmpdir(), 'weir-archives-'));
afterAll(() => rmSync(place, { recursive: true }));

/** A directory as two machines could have it: written in another order, at another time, with other permissions. */
function layOut(parent: string, names: readonly string[], mode: number, seconds: number): string {
  const directory = join(place, parent, 'weir-1.0.0-linux-x64');
  mkdirSync(join(directory, 'completions'), { recursive: true });
  for (const name of names) {
    writeFileSync(join(directory, name), name);
    chmodSync(join(directory, name), name === 'weir' ? 0o755 : mode);
    utimesSync(join(directory, name), seconds, seconds);
  }
  return directory;
}

test.each(['tar.gz', 'zip'])('a %s of the same files has the same bytes', async (kind) => {
  const names = ['weir', 'LICENSE', ...['e', 'c', 'a', 'd', 'b'].map((name) => `completions/${name}`)];
  const files = ['one', 'two'].map((name) => join(place, `${name}.${kind}`));
  pack(layOut(`one-${kind}`, names, 0o600, 1_000_000_000), files[0] ?? '', 1_764_000_000);
  pack(layOut(`two-${kind}`, names.toReversed(), 0o644, 1_700_000_000), files[1] ?? '', 1_764_000_000);
  expect(readFileSync(files[0] ?? '').equals(readFileSync(files[1] ?? ''))).toBe(true);
  const list = kind === 'zip' ? ['unzip', '-Z1'] : ['tar', '-tzf'];
  const { stdout } = await execa(list[0] ?? '', [...list.slice(1), files[0] ?? '']);
  const inside = stdout.split('\n').filter((name) => !name.endsWith('/'));
  expect(inside).toEqual(names.map((name) => `weir-1.0.0-linux-x64/${name}`).sort());
});

test('the formula and the manifest name each archive with its checksum', () => {
  for (const target of targets) writeFileSync(join(place, archiveName(target, '1.0.0')), target.name);
  const product = { version: '1.0.0', description: 'a client', homepage: 'https://weir.example' };
  makeManifests(product, 'https://weir.example/1.0.0', place);
  const text = Object.keys(manifests)
    .map((name) => readFileSync(join(place, name), 'utf8'))
    .join('');
  expect(text).not.toContain('{{');
  for (const target of targets) {
    const name = archiveName(target, '1.0.0');
    expect(text).toContain(`"https://weir.example/1.0.0/${name}"`);
    expect(text).toContain(`"${sumOf(join(place, name))}"`);
  }
  expect(JSON.parse(readFileSync(join(place, 'weir.json'), 'utf8'))).toMatchObject({
    version: '1.0.0',
    architecture: { '64bit': { extract_dir: 'weir-1.0.0-windows-x64' } },
  });
});

test('a template that asks for what nobody gives is refused', () => {
  expect(() => fill('{{sum}}', new Map())).toThrow('asks for sum');
});
