import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOf } from '../../../src/files/process-id.ts';
import { freePorts } from '../../../src/sandbox/ports.ts';
import { mainJar } from '../../../src/sandbox/registry/libraries.ts';
import { createRegistryPart, planRegistry, registryState } from '../../../src/sandbox/registry/part.ts';
import { temporaryDirectory } from '../../world.ts';
import { newMachine, writeProgram } from '../machine.ts';

/** A machine that has downloaded the registry, and whose Java is this script. */
function machineWithJava(script: string) {
  const home = temporaryDirectory();
  const libraries = join(home, 'weir/registry/3.0.9');
  mkdirSync(libraries, { recursive: true });
  writeFileSync(join(libraries, mainJar('3.0.9')), '');
  writeProgram(home, 'java', `if [ "$1" = -version ]; then echo 'version "17"'; exit; fi\n${script}`);
  const machine = newMachine({ env: { PATH: `${home}:${process.env.PATH}`, XDG_CACHE_HOME: home, HOME: home } });
  return { machine, libraries };
}

test('a port that is in use is reported before anything is started', async () => {
  const directory = temporaryDirectory();
  const planned = await planRegistry();
  const server = createServer().listen(planned.port, '127.0.0.1');
  const { machine } = machineWithJava('exit 1');
  const started = createRegistryPart({ directory, sandbox: 'box' }, planned).start(machine);
  await expect(started).rejects.toMatchObject({
    exitCode: 6,
    code: 'PORT_IN_USE',
    message: `unable to start the sandbox "box": port ${planned.port} is in use`,
  });
  await new Promise((closed) => server.close(closed));
  expect(machine.steps).toEqual([]);
});

test.each([
  [
    "echo '2026-01-01 INFO [A] fine'; echo '2026-01-01 ERROR [B] no memory'; echo '  at C'",
    1,
    '2026-01-01 ERROR [B] no memory',
  ],
  ["echo 'Invalid maximum heap size: -Xmx256m'", 1, 'Invalid maximum heap size: -Xmx256m'],
  ["echo 'x ERROR [Application] Port 21 seems to be in use by another process.'", 6, undefined],
])('a Java that prints %j and exits is reported with exit code %i', async (script, exitCode, reason) => {
  const directory = temporaryDirectory();
  const { machine } = machineWithJava(script);
  const part = createRegistryPart({ directory, sandbox: 'box' }, await planRegistry());
  await expect(part.start(machine)).rejects.toMatchObject({
    exitCode,
    message:
      reason === undefined
        ? 'unable to start the sandbox "box": port 21 is in use'
        : `unable to start the schema registry: the program exited: ${reason}`,
  });
  expect((await registryState.read(directory))?.process).toBeNull();
  expect(await part.status()).toMatchObject([{ part: 'registry', state: 'stopped', pid: undefined }]);
});

test('a registry whose process runs is running only when it answers with its own name', async () => {
  const directory = temporaryDirectory();
  let name = 'weir /another/sandbox/';
  const server = createHttpServer((_, response) => response.end(JSON.stringify({ name }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const self = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? '' };
  const stateOf = async (kept: typeof self | null): Promise<string | undefined> => {
    const part = createRegistryPart({ directory, sandbox: 'box' }, { version: '3.0.9', port, process: kept });
    return (await part.status())[0]?.state;
  };
  expect(await stateOf(self)).toBe('starting');
  name = `weir ${directory}/`;
  expect(await stateOf(self)).toBe('running');
  expect(await stateOf(null)).toBe('stopped');
  await new Promise((closed) => server.close(closed));
});

test('the first start writes an archive of classes, later ones use it, and another build of Java writes its own', async () => {
  // The stand-in answers like a registry, so that the run that writes the archive ends by itself.
  const server = `
    const at = (key) => process.argv.find((word) => word.startsWith(key))?.slice(key.length);
    const body = JSON.stringify({ name: at('-Dapicurio.app.name=') });
    require('node:http').createServer((_, response) => response.end(body)).listen(at('-Dquarkus.http.port='), '127.0.0.1');
    process.on('SIGTERM', () => {
      const archive = at('-XX:ArchiveClassesAtExit=');
      if (archive !== undefined) require('node:fs').writeFileSync(archive, '');
      process.exit(143);
    });`;
  const program = join(temporaryDirectory(), 'server.cjs');
  writeFileSync(program, server);
  const { machine, libraries } = machineWithJava(
    `printf '%s\\n' "$@" | head -1 >> ${program}.seen; exec ${process.execPath} ${program} "$@"`,
  );
  const archives = () => readdirSync(libraries).filter((name) => name.endsWith('.jsa'));
  const startAndStop = async (): Promise<void> => {
    const planned = { ...(await planRegistry()), port: (await freePorts(1))[0] ?? 0 };
    const part = createRegistryPart({ directory: temporaryDirectory(), sandbox: 'box' }, planned);
    await part.start(machine);
    expect(await part.status()).toMatchObject([{ state: 'running' }]);
    expect(part.options()).toEqual({ 'registry.hosts': `http://127.0.0.1:${planned.port}/apis/ccompat/v7` });
    await part.stop('atOnce');
  };
  await startAndStop();
  const [archive = ''] = archives();
  expect(archive).toMatch(/^classes-[0-9a-f]{12}\.jsa$/);
  await startAndStop();
  expect(archives()).toEqual([archive]);
  const shared = `-XX:SharedArchiveFile=${join(libraries, archive)}`;
  const seen = readFileSync(`${program}.seen`, 'utf8').trim().split('\n');
  expect(seen).toEqual([`-XX:ArchiveClassesAtExit=${join(libraries, archive)}.new`, shared, shared]);
  const java = join(machine.env.HOME ?? '', 'java');
  writeFileSync(java, `${readFileSync(java, 'utf8')}\n# updated\n`);
  await startAndStop();
  expect(archives()).toHaveLength(2);
  expect(existsSync(`${join(libraries, archive)}.lock`)).toBe(false);
});
