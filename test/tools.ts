// The tools that the tests need besides npm packages. `npm test` installs missing ones with apt or prints the command.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { kfakeProgram } from './services/kfake.ts';

/** A tool for the tests and the Debian package that provides it. */
interface Tool {
  readonly name: string;
  readonly package: string;
  isThere(machine: Machine): boolean;
}

/** The properties of a machine that decide what to install. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
  /** Runs a program and returns whether its exit code is 0. */
  succeeds(file: string, args: readonly string[]): boolean;
}

/** Finds a program in PATH without starting a process. */
function findOnPath({ env, exists }: Machine, name: string): string | undefined {
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name)).find(exists);
}

function program(name: string, from = name): Tool {
  return { name, package: from, isThere: (machine) => findOnPath(machine, name) !== undefined };
}

/** A module of Debian's Python; the tests that need it run /usr/bin/python3. */
function pythonModule(name: string, from: string, folder: string): Tool {
  return {
    name: `${name} for Python`,
    package: from,
    isThere: ({ exists }) => exists(`/usr/lib/python3/dist-packages/${folder}`),
  };
}

/** The library that gives one process a file of host names of its own. */
export const nssWrapperFiles: readonly string[] = [
  ...['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/libnss_wrapper.so`),
  '/usr/lib64/libnss_wrapper.so',
];

const debianPython = '/usr/lib/python3/dist-packages/confluent_kafka';

const tools: readonly Tool[] = [
  {
    ...program('java', 'default-jre-headless'),
    isThere: (machine) =>
      findOnPath(machine, 'java') !== undefined || machine.exists(join(machine.env.JAVA_HOME ?? '/none', 'bin/java')),
  },
  program('mvn', 'maven'),
  program('zsh'),
  program('fish'),
  program('expect'),
  program('kcat'),
  program('curl'),
  program('mandoc'),
  program('zip'),
  program('unzip'),
  program('secret-tool', 'libsecret-tools'),
  program('gnome-keyring-daemon', 'gnome-keyring'),
  program('dbus-run-session', 'dbus-daemon'),
  {
    name: 'confluent-kafka for Python',
    package: 'python3-confluent-kafka',
    isThere: (machine) => machine.exists(debianPython) || machine.succeeds('python3', ['-c', 'import confluent_kafka']),
  },
  program('microsocks'),
  program('tinyproxy', 'tinyproxy-bin'),
  {
    name: 'nss_wrapper',
    package: 'libnss-wrapper',
    isThere: ({ exists }) => nssWrapperFiles.some(exists),
  },
  program('protoc', 'protobuf-compiler'),
  {
    name: 'the files of google/protobuf',
    package: 'libprotobuf-dev',
    isThere: ({ exists }) => exists('/usr/include/google/protobuf/any.proto'),
  },
  pythonModule('google.protobuf', 'python3-protobuf', 'google/protobuf'),
  pythonModule('jsonschema', 'python3-jsonschema', 'jsonschema'),
  // Any version will do: it fetches the one that the fake cluster needs.
  program('go', 'golang-go'),
];

/** The way to install missing tools. */
export interface Remedy {
  readonly missing: readonly string[];
  /** The commands to run in order; empty if the user must run them. */
  readonly commands: readonly (readonly string[])[];
  /** The command line for the user to run. */
  readonly line: string;
}

/** Determines how to install the missing tools; undefined when all are installed. */
export function remedyFor(machine: Machine, isRoot: boolean): Remedy | undefined {
  const missing = tools.filter((tool) => !tool.isThere(machine));
  if (missing.length === 0) return undefined;
  const packages = missing.map((tool) => tool.package);
  const install = ['apt-get', 'install', '--yes', '--no-install-recommends', ...packages];
  const hasApt = findOnPath(machine, 'apt-get') !== undefined;
  const asRoot = isRoot ? [] : ['sudo', '-n'];
  const mayInstall = hasApt && (isRoot || machine.succeeds('sudo', ['-n', 'true']));
  return {
    missing: missing.map(({ name }) => name),
    commands: mayInstall
      ? [
          [...asRoot, 'apt-get', 'update'],
          [...asRoot, ...install],
        ]
      : [],
    line: `${isRoot ? '' : 'sudo '}${install.join(' ')}`,
  };
}

/** Installs the missing tools and returns the exit code. */
function installMissing(): number {
  const machine: Machine = {
    env: process.env,
    exists: existsSync,
    succeeds: (file, args) => spawnSync(file, args, { stdio: 'ignore' }).status === 0,
  };
  const remedy = remedyFor(machine, process.getuid?.() === 0);
  if (remedy === undefined) return 0;
  process.stderr.write(`the tests need ${remedy.missing.join(', ')}\n`);
  for (const [file = '', ...args] of remedy.commands) {
    process.stderr.write(`$ ${file} ${args.join(' ')}\n`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    if (spawnSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status !== 0) break;
  }
  const rest = remedyFor(machine, process.getuid?.() === 0);
  if (rest === undefined) return 0;
  process.stderr.write(`unable to install ${rest.missing.join(', ')}; on Debian run: ${rest.line}\n`);
  return 1;
}

if (import.meta.main) {
  process.exitCode = installMissing();
  // Here, because compiling takes a minute on a new machine.
  if (process.exitCode === 0) kfakeProgram();
}
