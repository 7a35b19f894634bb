import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findJava, findProgram, parseJavaVersion } from '../../src/sandbox/java.ts';
import type { Machine } from '../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../world.ts';
import { writeProgram } from './machine.ts';

test.each([
  ['openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime Environment', 17],
  ['java version "1.8.0_392"', 8],
  ['openjdk version "21-ea" 2023-09-19', 21],
  ['openjdk version "25" 2025-09-16 LTS', 25],
  ['Picked up JAVA_TOOL_OPTIONS: -Dx=1\nopenjdk version "11.0.22" 2024-01-16', 11],
  ['command not found', undefined],
  ['', undefined],
])('the version in %j is %s', (text, major) => {
  expect(parseJavaVersion(text)).toBe(major);
});

function machineWith(env: Record<string, string>): Machine {
  return {
    env,
    home: '/',
    platform: 'linux',
    uid: undefined,
    signal: new AbortController().signal,
    lockWait: { signal: new AbortController().signal },
    openEnded: (work) => work(),
    notice: () => undefined,
    progress: () => undefined,
  };
}

/** Creates a directory with a `java` program that prints this version. */
async function javaIn(directory: string, version: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'java');
  await writeFile(file, `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
  await chmod(file, 0o755);
  return directory;
}

test('Java in JAVA_HOME takes precedence over a newer one in PATH', async () => {
  const directory = temporaryDirectory();
  await javaIn(join(directory, 'home/bin'), '17.0.1');
  const path = await javaIn(join(directory, 'path'), '21.0.1');
  const found = await findJava(machineWith({ JAVA_HOME: join(directory, 'home'), PATH: path }));
  expect(found).toEqual({ file: join(directory, 'home/bin/java'), major: 17 });
});

test('a Java that is too old is skipped in favor of one that is new enough', async () => {
  const directory = temporaryDirectory();
  const old = await javaIn(join(directory, 'old'), '1.8.0_1');
  const recent = await javaIn(join(directory, 'recent'), '17.0.1');
  expect(await findJava(machineWith({ PATH: `${old}:${recent}` }))).toEqual({ file: join(recent, 'java'), major: 17 });
  expect(await findJava(machineWith({ PATH: old }))).toEqual({ file: join(old, 'java'), major: 8 });
});

test('neither Java nor another program is found in an empty PATH', async () => {
  expect(await findJava(machineWith({ PATH: temporaryDirectory() }))).toBeUndefined();
  expect(await findJava(machineWith({}))).toBeUndefined();
  expect(await findProgram(machineWith({ PATH: temporaryDirectory() }), 'mvn')).toBeUndefined();
});

test('an empty part of PATH does not mean the working directory', async () => {
  const directory = temporaryDirectory();
  await javaIn(directory, '21.0.1');
  const before = process.cwd();
  process.chdir(directory);
  try {
    expect(await findProgram(machineWith({ PATH: `:${temporaryDirectory()}:` }), 'java')).toBeUndefined();
  } finally {
    process.chdir(before);
  }
});

test('the newest of several that are too old is found, and those that cannot run are skipped', async () => {
  const directory = temporaryDirectory();
  const [a, b, c] = [
    await javaIn(join(directory, 'a'), '1.8.0_1'),
    await javaIn(join(directory, 'b'), '11.0.1'),
    await javaIn(join(directory, 'c'), '9.0.1'),
  ];
  const broken = await javaIn(join(directory, 'broken'), '21');
  await chmod(join(broken, 'java'), 0o644);
  const silent = writeProgram(await javaIn(join(directory, 'silent'), '21'), 'java', 'exit 1');
  const PATH = [broken, join(silent, '..'), a, b, c].join(':');
  expect(await findJava(machineWith({ PATH }))).toEqual({ file: join(b, 'java'), major: 11 });
});

test('a Java in JAVA_HOME that is too old gives way to one in PATH, and an empty JAVA_HOME is none', async () => {
  const directory = temporaryDirectory();
  await javaIn(join(directory, 'home/bin'), '11.0.1');
  const PATH = await javaIn(join(directory, 'path'), '17.0.1');
  const found = { file: join(PATH, 'java'), major: 17 };
  expect(await findJava(machineWith({ JAVA_HOME: join(directory, 'home'), PATH }))).toEqual(found);
  expect(await findJava(machineWith({ JAVA_HOME: '', PATH }))).toEqual(found);
});

test('a version on standard output counts, and a program sees only the variables of the machine', async () => {
  const PATH = temporaryDirectory();
  writeProgram(PATH, 'java', `[ -z "$HOME" ] && echo "version \\"$OWN\\""`);
  expect(await findJava(machineWith({ PATH, OWN: '18' }))).toMatchObject({ major: 18 });
});

test('looking for Java ends with the reason of the signal', async () => {
  const PATH = await javaIn(temporaryDirectory(), '21');
  const signal = AbortSignal.abort(new Error('Ctrl-C'));
  await expect(findJava({ ...machineWith({ PATH }), signal })).rejects.toThrow('Ctrl-C');
});

test('the first of several programs in PATH is found', async () => {
  const [one, other] = [temporaryDirectory(), temporaryDirectory()];
  for (const directory of [one, other]) writeProgram(directory, 'mvn', 'exit 0');
  const found = await findProgram(machineWith({ PATH: `${one}:${other}` }), 'mvn');
  expect(found).toBe(join(one, 'mvn'));
});
