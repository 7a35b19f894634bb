import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Node } from '../../../src/sandbox/kafka/properties.ts';
import { formatStorage, javaOptions } from '../../../src/sandbox/kafka/storage.ts';
import type { Machine } from '../../../src/sandbox/machine.ts';
import { temporaryDirectory } from '../../world.ts';

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
