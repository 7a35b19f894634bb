import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Node } from '../../../src/sandbox/kafka/properties.ts';
import { formatArguments, formatStorage, javaOptions, newClusterId } from '../../../src/sandbox/kafka/storage.ts';
import { lastLines } from '../../../src/sandbox/logs.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, nodeIn, writeProgram } from '../machine.ts';

it('a broker with TLS uses the compiler with AES instructions, and others start faster without it', () => {
  expect(javaOptions(512)).toContain('-XX:TieredStopAtLevel=1');
  expect(javaOptions(512, { encrypts: true })).toEqual(
    javaOptions(512).filter((option) => !option.startsWith('-XX:Tiered')),
  );
});

it('passwords are passed in a file that only its owner can read, and that is removed', async () => {
  const directory = temporaryDirectory();
  const [java, seen] = [join(directory, 'java'), join(temporaryDirectory(), 'seen')];
  await writeFile(java, `#!/bin/sh\nfile="\${1#@}"\n{ ls -l "$file"; cat "$file"; } > '${seen}'\n`);
  await chmod(java, 0o755);
  const machine = { env: { PATH: process.env.PATH }, signal: new AbortController().signal } as unknown as Machine;
  const node = { directory } as unknown as Node;
  const users = [{ name: 'weir', password: 's3cret' }];
  await formatStorage(machine, { java, libraries: '/jars', heapMb: 1 }, node, { clusterId: 'c', users });
  const text = await readFile(seen, 'utf8');
  expect(text).toMatch(/^-rw------- /);
  expect(text).toContain('"SCRAM-SHA-512=[name=weir,password=s3cret]"');
  expect(await readdir(directory)).toEqual(['java']);
});

it('a data directory is formatted with these options', () => {
  expect(javaOptions(512)).toEqual([
    '-Xmx512m',
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    '-XX:-UsePerfData',
    '-Xshare:auto',
    '-Djava.awt.headless=true',
  ]);
  const users = ['a', 'b'].map((name) => ({ name, password: `${name}-pass` }));
  expect(formatArguments('/c', { clusterId: 'id', users })).toEqual([
    'format',
    '--ignore-formatted',
    '--cluster-id',
    'id',
    '--config',
    '/c',
    '--add-scram',
    'SCRAM-SHA-256=[name=a,password=a-pass]',
    '--add-scram',
    'SCRAM-SHA-512=[name=a,password=a-pass]',
    '--add-scram',
    'SCRAM-SHA-256=[name=b,password=b-pass]',
    '--add-scram',
    'SCRAM-SHA-512=[name=b,password=b-pass]',
  ]);
});

it('a formatted data directory is left as it is, without a start of Java', async () => {
  const directory = temporaryDirectory();
  const [java, seen] = [writeProgram(directory, 'java', `echo started >> ${directory}/seen`), join(directory, 'seen')];
  const runtime = { java, libraries: '/jars', heapMb: 1 };
  const format = () =>
    formatStorage(newMachine({ env: { PATH: process.env.PATH } }), runtime, nodeIn(directory), {
      clusterId: 'c',
      users: [],
    });
  await mkdir(join(directory, 'data'));
  await format();
  expect(await readFile(seen, 'utf8')).toBe('started\n');
  await writeFile(join(directory, 'data/meta.properties'), 'cluster.id=c\n');
  await format();
  expect(await readFile(seen, 'utf8')).toBe('started\n');
});

it('a cluster id is 16 bytes in base64url and never looks like a flag', () => {
  const ids = Array.from({ length: 2_000 }, newClusterId);
  for (const id of ids) expect(id).toMatch(/^[\w][\w-]{21}$/);
  expect(new Set(ids).size).toBe(ids.length);
});

it.each([
  ['its last line', "echo first; echo ' the reason '; echo; exit 1", 'the reason'],
  ['what it printed on standard error', 'echo broken >&2; exit 3', 'broken'],
  [
    'the reason above the places of the calls',
    "printf 'Caused by: why\\n\\tat a.b(C.java:1)\\n\\t... 7 more\\n'; exit 1",
    'Caused by: why',
  ],
  ['no output', 'exit 1', 'no output'],
])('a format that fails is reported with %s, and leaves no passwords', async (_, script, reason) => {
  const directory = temporaryDirectory();
  const java = writeProgram(directory, 'java', script);
  const runtime = { java, libraries: '/jars', heapMb: 1 };
  const formatting = formatStorage(newMachine({ env: { PATH: process.env.PATH } }), runtime, nodeIn(directory), {
    clusterId: 'c',
    users: [],
  });
  await expect(formatting).rejects.toMatchObject({
    exitCode: 1,
    message: `unable to format the data directory of Kafka: ${reason}`,
  });
  expect(await readdir(directory)).toEqual(['java']);
});

it('an interrupted format ends with the reason of the signal, and leaves no passwords', async () => {
  const directory = temporaryDirectory();
  const java = writeProgram(directory, 'java', 'exec sleep 60');
  const interrupt = new AbortController();
  const machine = newMachine({ env: { PATH: process.env.PATH }, signal: interrupt.signal });
  const runtime = { java, libraries: '/jars', heapMb: 1 };
  const formatting = formatStorage(machine, runtime, nodeIn(directory), { clusterId: 'c', users: [] });
  await expect.poll(() => readdir(directory)).toEqual(['format.args', 'java']);
  interrupt.abort(new Error('Ctrl-C'));
  await expect(formatting).rejects.toThrow('Ctrl-C');
  expect(await readdir(directory)).toEqual(['java']);
});

it('words with quotes and backslashes are quoted for Java', async () => {
  const directory = temporaryDirectory();
  const seen = join(temporaryDirectory(), 'seen');
  const java = writeProgram(directory, 'java', `cat "\${1#@}" > '${seen}'; pwd -P >/dev/null; [ -z "$OTHER" ]`);
  const machine = newMachine({ env: { PATH: process.env.PATH } });
  await formatStorage(machine, { java, libraries: '/a "b"\\c', heapMb: 1 }, nodeIn(directory), {
    clusterId: 'c',
    users: [],
  });
  expect((await readFile(seen, 'utf8')).split('\n')).toEqual([
    '"-Xmx128m"',
    '"-XX:TieredStopAtLevel=1"',
    '"-XX:+UseSerialGC"',
    '"-XX:-UsePerfData"',
    '"-Xshare:auto"',
    '"-Djava.awt.headless=true"',
    '"-cp"',
    '"/a \\"b\\"\\\\c/*"',
    '"kafka.tools.StorageTool"',
    '"format"',
    '"--ignore-formatted"',
    '"--cluster-id"',
    '"c"',
    '"--config"',
    `"${join(directory, 'server.properties')}"`,
  ]);
});

it.each([
  ['a\nb\nc\n', 2, ['b', 'c']],
  ['a\nb\n\n', 5, ['a', 'b']],
  [undefined, 5, ['']],
])('the end of the log %j', async (text, lines, last) => {
  const log = join(temporaryDirectory(), 'log');
  if (text !== undefined) await writeFile(log, text);
  expect(await lastLines(log, lines)).toEqual(last);
});
