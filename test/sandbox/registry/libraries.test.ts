import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasRegistry, mainJar, registryVersion, resolveRegistry } from '../../../src/sandbox/registry/libraries.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

const archiveName = 'apicurio-registry-app-3.0.9-all.tar.gz';

/** A machine with its own cache and the programs of this one. */
function machineWithCache(cache: string, more: Readonly<Record<string, string>> = {}) {
  return newMachine({ env: { XDG_CACHE_HOME: cache, PATH: process.env.PATH, ...more } });
}

/** Packs a directory as an archive and returns a stand-in for Maven that "downloads" it. */
function mavenWith(fill: (directory: string) => void, options: readonly string[] = []): string {
  const [content, place] = [temporaryDirectory(), temporaryDirectory()];
  fill(content);
  const archive = join(place, archiveName);
  execFileSync('tar', ['-czf', archive, ...options, '-C', content, '.']);
  return mavenThatCopies(archive);
}

function mavenThatCopies(archive: string): string {
  return writeProgram(
    temporaryDirectory(),
    'mvn',
    `printf '%s\\n' "$@" >> ../../seen\nmkdir archive; cp ${archive} archive/${archiveName}`,
  );
}

function writeJars(directory: string): void {
  mkdirSync(join(directory, 'lib'));
  writeFileSync(join(directory, mainJar('3.0.9')), 'main');
  writeFileSync(join(directory, 'lib', 'other.jar'), 'other');
}

test('the archive is fetched once, and unpacked into a directory named after the version', async () => {
  const cache = temporaryDirectory();
  const machine = machineWithCache(cache);
  const maven = mavenWith(writeJars);
  expect([registryVersion, await hasRegistry(machine, '3.0.9')]).toEqual(['3.0.9', false]);
  const directory = await resolveRegistry(machine, '3.0.9', maven);
  expect(directory).toBe(join(cache, 'weir/registry/3.0.9'));
  expect((await readdir(directory, { recursive: true })).sort()).toEqual([mainJar('3.0.9'), 'lib', 'lib/other.jar']);
  expect(await resolveRegistry(machine, '3.0.9', maven)).toBe(directory);
  expect(await hasRegistry(machine, '3.0.9')).toBe(true);
  expect(machine.steps).toEqual([
    'downloading Apicurio Registry 3.0.9 with Maven (only needed once)',
    'unpacking Apicurio Registry 3.0.9',
  ]);
  expect((await readFile(join(cache, 'weir/seen'), 'utf8')).split('\n')).toEqual([
    '--batch-mode',
    'org.apache.maven.plugins:maven-dependency-plugin:2.8:copy',
    '-Dartifact=io.apicurio:apicurio-registry-app:3.0.9:tar.gz:all',
    '-DoutputDirectory=archive',
    '',
  ]);
});

test.each<[string, string, string]>([
  ['a path that leaves it', '../outside', 'it has an unsafe path ("../outside'],
  ['an absolute path', '/outside', 'it has an unsafe path ("/outside'],
])('an archive with %s is refused, and nothing is kept', async (_, path, reason) => {
  const cache = temporaryDirectory();
  const maven = mavenWith(writeJars, ['-P', `--transform=s,^\\./lib,${path},`]);
  await expect(resolveRegistry(machineWithCache(cache), '3.0.9', maven)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining(`unable to unpack the schema registry: ${reason}`),
  });
  expect(await readdir(join(cache, 'weir/registry'))).toEqual([]);
});

test('an archive with a link, without a registry, or that is damaged is refused, and nothing is kept', async () => {
  const cache = temporaryDirectory();
  const refused = async (maven: string): Promise<string> => {
    const error = await resolveRegistry(machineWithCache(cache), '3.0.9', maven).catch((thrown: unknown) => thrown);
    expect(await readdir(join(cache, 'weir/registry'))).toEqual([]);
    return (error as Error).message;
  };
  const linked = mavenWith((directory) => {
    writeJars(directory);
    symlinkSync('/etc', join(directory, 'lib/etc'));
  });
  expect(await refused(linked)).toBe('unable to unpack the schema registry: "etc" is neither a file nor a directory');
  const empty = mavenWith((directory) => mkdirSync(join(directory, 'lib')));
  expect(await refused(empty)).toBe('unable to download Apicurio Registry 3.0.9: the archive has no registry in it');
  const damaged = join(temporaryDirectory(), 'damaged');
  writeFileSync(damaged, 'not an archive');
  expect(await refused(mavenThatCopies(damaged))).toMatch(/^unable to unpack the schema registry: .+/);
});

test('without Maven, and without tar, a hint says what to install', async () => {
  const cache = temporaryDirectory();
  await expect(resolveRegistry(machineWithCache(cache), '3.0.9', undefined)).rejects.toMatchObject({
    exitCode: 2,
    message: 'unable to download Apicurio Registry 3.0.9: Maven is not installed',
    hints: ['install Maven, then run the command again'],
  });
  const programs = temporaryDirectory();
  for (const name of ['mkdir', 'cp']) writeProgram(programs, name, `exec /bin/${name} "$@"`);
  const machine = machineWithCache(cache, { PATH: programs });
  await expect(resolveRegistry(machine, '3.0.9', mavenWith(writeJars))).rejects.toMatchObject({
    exitCode: 2,
    message: 'unable to unpack the schema registry: the program tar is not installed',
    hints: ['install tar, then run the command again'],
  });
});
