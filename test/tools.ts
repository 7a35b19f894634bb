// What the tests need beside the pinned packages: `npm test` installs what is missing through apt, or names the line.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A tool of the tests and the Debian package that has it. */
interface Tool {
  readonly name: string;
  readonly package: string;
  isThere(machine: Machine): boolean;
}

/** What is looked at of a machine. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(path: string): boolean;
  /** Whether the program ends with exit code 0. */
  succeeds(file: string, args: readonly string[]): boolean;
}

/** The first place of a program on the PATH; no process is started for that. */
function findOnPath({ env, exists }: Machine, name: string): string | undefined {
  const directories = (env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name)).find(exists);
}

function program(name: string, from = name): Tool {
  return { name, package: from, isThere: (machine) => findOnPath(machine, name) !== undefined };
}

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
  {
    name: 'confluent-kafka for Python',
    package: 'python3-confluent-kafka',
    isThere: (machine) => machine.exists(debianPython) || machine.succeeds('python3', ['-c', 'import confluent_kafka']),
  },
];

/** What is to be done about missing tools. */
export interface Remedy {
  readonly missing: readonly string[];
  /** Commands to run one after the other; empty where a person has to. */
  readonly commands: readonly (readonly string[])[];
  /** The line for a person to run. */
  readonly line: string;
}

/** How the missing tools come to this machine; undefined when all are there. */
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

/** Installs what is missing; the exit code. */
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

if (import.meta.main) process.exitCode = installMissing();
