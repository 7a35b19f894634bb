import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { withoutSecrets } from '../../../src/config/child-process.ts';
import { envName, options } from '../../../src/config/options.ts';
import { realHost } from '../../../src/host/host.ts';
import { mainJar, registryVersion } from '../../../src/sandbox/registry/libraries.ts';
import { createRegistryPart, planRegistry } from '../../../src/sandbox/registry/part.ts';
import { startPlane } from '../../sandbox/cloud/plane.ts';
import { newMachine, writeProgram } from '../../sandbox/machine.ts';
import { run, temporaryDirectory, type World } from '../../world.ts';

test('no secret of weir reaches a child process', () => {
  const names = [
    'ADMIN_PASS',
    'ADMIN_TOKEN',
    'CLOUD_CLIENT_SECRET',
    'CLOUD_TOKEN',
    'GLOBALS_PROXY',
    'OAUTH_CLIENT_SECRET',
    'OAUTH_EXTENSIONS',
    'OAUTH_TOKEN',
    'PASS',
    'REGISTRY_PASS',
    'REGISTRY_TOKEN',
  ];
  expect(Object.entries(withoutSecrets).toSorted()).toEqual(names.map((name) => [`WEIR_${name}`, undefined]));
});

const secretNames = [
  ...options.filter((option) => 'secret' in option && option.secret).map(({ key }) => envName(key)),
  'WEIR_CLOUD_TOKEN',
];
const secret = (name: string) => `the-secret-in-${name}`;
const secrets = Object.fromEntries(secretNames.map((name) => [name, secret(name)]));

/** Every file that starts another program, and why nothing of the list below covers it. */
const elsewhere: Readonly<Record<string, string>> = {
  'files/process-id.ts': 'ps gets an environment of its own',
  'commands/complete/complete.ts': 'the background completion is weir itself, which logs in',
  'commands/cloud/byoc/run-plugin.ts': 'test/commands/cloud/plugin-environment.test.ts',
};

let home: string;
let bin: string;
let record: string;
beforeEach(() => {
  home = temporaryDirectory();
  bin = join(home, 'bin');
  record = join(home, 'record');
  mkdirSync(bin);
});

/** Writes a program that records its arguments and environment, then runs this script. */
function recorder(name: string, script = 'exit 0'): string {
  return writeProgram(bin, name, `{ echo "ran ${name} $*"; env; } >> '${record}'\n${script}`);
}

/** A machine with secrets in its environment and no programs but the recorders and what a shell needs. */
function world(more: Readonly<Record<string, string>> = {}): World & { readonly env: Record<string, string> } {
  const xdg = ['CONFIG', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, join(home, kind)]);
  return { home, env: { ...Object.fromEntries(xdg), PATH: `${bin}:/usr/bin:/bin`, ...secrets, ...more } };
}

const java = `[ "$1" = -version ] && echo 'version "17"'; exit 0`;

interface Site {
  readonly what: string;
  readonly files: readonly string[];
  /** The programs that run, with the beginning of their arguments. */
  readonly runs: readonly string[];
  act(): Promise<unknown>;
}

const sites: readonly Site[] = [
  {
    what: 'Maven and Java for Kafka',
    files: ['java.ts', 'maven.ts', 'process.ts', 'kafka/storage.ts', 'kafka/cluster.ts'].map(
      (file) => `sandbox/${file}`,
    ),
    runs: ['mvn --batch-mode', 'java -version', 'java @', 'java -X'],
    act() {
      recorder('mvn', 'mkdir jars; : > jars/kafka_2.13-4.1.1.jar');
      recorder('java', java);
      return run('sandbox start --engine java', world());
    },
  },
  {
    what: 'Maven, tar and Java for the schema registry',
    files: ['sandbox/registry/libraries.ts', 'sandbox/class-archive.ts'],
    runs: ['mvn --batch-mode', 'tar -tzf', 'tar -xzof', 'java -XX:ArchiveClassesAtExit', 'java -Xm'],
    async act() {
      const archive = `archive/apicurio-registry-app-${registryVersion}-all.tar.gz`;
      const jar = mainJar(registryVersion);
      recorder('mvn', `mkdir archive; : > ${jar}; /bin/tar -czf ${archive} ${jar}`);
      recorder('tar', 'exec /bin/tar "$@"');
      recorder('java', java);
      // A sandbox starts it after its Kafka, with the same machine.
      const { env } = world();
      const part = createRegistryPart({ directory: join(home, 'registry'), sandbox: 'box' }, await planRegistry());
      await part.start(newMachine({ home, env: { ...env, ...withoutSecrets } })).catch(() => undefined);
    },
  },
  {
    what: 'what weir itself runs in a sandbox',
    files: ['sandbox/program.ts'],
    runs: ['node kafka', 'node admin', 'node control-plane'],
    async act() {
      const preload = join(home, 'preload.mjs');
      const text = `import { appendFileSync } from 'node:fs';
const environment = Object.entries(process.env).map((pair) => pair.join('=')).join('\\n');
appendFileSync(${JSON.stringify(record)}, 'ran node ' + process.argv[2].split('/').at(-2) + '\\n' + environment + '\\n');`;
      writeFileSync(preload, text);
      const place = world({ NODE_OPTIONS: `--import ${preload}` });
      await run('sandbox start --engine simulated --admin --cloud', place);
      await run('sandbox purge --yes', place);
    },
  },
  ...(['docker', 'podman'] as const).map((program) => ({
    what: program,
    files: ['sandbox/kafka/container-engine.ts'],
    runs: ['version', 'image', 'network', 'create', 'start', 'rm'].map((verb) => `${program} ${verb}`),
    act() {
      recorder(program, 'echo false');
      return run(`sandbox start --engine ${program}`, world());
    },
  })),
  {
    what: 'the editor',
    files: ['host/host.ts', 'commands/profile/editor.ts'],
    runs: ['editor /'],
    async act() {
      const place = world({ VISUAL: recorder('editor') });
      await run('profile create box', place);
      await run('profile edit box', { ...place, spawn: realSpawn(place.env) });
    },
  },
  {
    what: 'what gives and keeps secrets',
    files: ['sign-in/secrets/limited-run.ts'],
    runs: ['helper kafka', 'secret-tool store'],
    async act() {
      recorder('secret-tool');
      const command = `pass.command=${recorder('helper')} kafka`;
      const place = world();
      const spawn = realSpawn(place.env);
      await run(['topic', 'list', '-X', 'user=ana', '-X', command], { ...place, spawn });
      await run('profile create box', place);
      return await run('profile set pass --stdin --keychain', { ...place, spawn, stdin: 'typed' });
    },
  },
  {
    what: 'the browser',
    files: ['commands/open-browser.ts'],
    runs: ['xdg-open http'],
    async act() {
      recorder('xdg-open');
      const plane = await startPlane();
      onTestFinished(() => plane.stop());
      const place = world({ ...plane.plane.environment, WEIR_CLOUD_DEVICE_CLIENT_ID: 'sandbox-device' });
      const spawn = realSpawn(place.env);
      const none = {
        WEIR_CLOUD_CLIENT_ID: undefined,
        WEIR_CLOUD_CLIENT_SECRET: undefined,
        WEIR_CLOUD_TOKEN: undefined,
      };
      await run('cloud login', {
        ...{ home, env: { ...place.env, ...none }, terminal: { stdin: true, stderr: true } },
        async spawn(file, args, how) {
          const done = await spawn(file, args, how);
          const code = new URL(args.at(-1) ?? '').searchParams.get('user_code');
          await plane.approve(String(code), 'ada@cloud.example');
          return done;
        },
      });
    },
  },
];

/** Starts real children, which inherit this environment. */
function realSpawn(env: Readonly<Record<string, string>>): NonNullable<World['spawn']> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return realHost().spawn;
}

test.each(sites)('$what gets none of them', async ({ act, runs }) => {
  const outcome = await act();
  const text = readFileSync(record, 'utf8');
  for (const start of runs) expect(text, JSON.stringify(outcome)).toContain(`ran ${start}`);
  expect(text).toContain('\nPATH=');
  for (const name of secretNames) expect(text).not.toContain(secret(name));
});

test('every file that starts another program is in this list', () => {
  const source = new URL('../../../src/', import.meta.url).pathname;
  const starting = globSync('**/*.ts', { cwd: source }).filter((file) =>
    /from 'execa'|import\('execa'\)|node:child_process|\blaunch\b.*from '.*process\.ts'|\.spawn(Self)?\(|^\s*\.spawn\(/m.test(
      readFileSync(join(source, file), 'utf8'),
    ),
  );
  const known = [...sites.flatMap(({ files }) => files), ...Object.keys(elsewhere)];
  expect(starting.filter((file) => !known.includes(file))).toEqual([]);
  expect(known.filter((file) => !existsSync(join(source, file)))).toEqual([]);
});
