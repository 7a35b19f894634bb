import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { execution, type Machine } from './machine.ts';

/** The oldest Java version that Kafka 4 supports. */
export const oldestJava = 17;

/** A Java runtime found on this machine. */
interface Java {
  /** Path of the `java` program. */
  readonly file: string;
  readonly major: number;
}

/** Finds Java in JAVA_HOME or PATH: the first that is new enough, otherwise the newest; undefined without Java. */
export async function findJava(machine: Machine): Promise<Java | undefined> {
  const home = machine.env.JAVA_HOME;
  const files = [...(home ? [join(home, 'bin', 'java')] : []), ...inPath(machine, 'java')];
  let best: Java | undefined;
  for (const file of files) {
    const major = (await isExecutable(file)) ? await majorOf(file, machine) : undefined;
    if (major === undefined) continue;
    if (best === undefined || major > best.major) best = { file, major };
    if (major >= oldestJava) return best;
  }
  return best;
}

/** Finds a program in PATH and returns its path; undefined when it is not there. */
export async function findProgram(machine: Pick<Machine, 'env'>, name: string): Promise<string | undefined> {
  for (const file of inPath(machine, name)) if (await isExecutable(file)) return file;
  return undefined;
}

function inPath(machine: Pick<Machine, 'env'>, name: string): readonly string[] {
  const directories = (machine.env.PATH ?? '').split(delimiter).filter((directory) => directory !== '');
  return directories.map((directory) => join(directory, name));
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function majorOf(file: string, machine: Machine): Promise<number | undefined> {
  const { stderr, stdout } = await execa(file, ['-version'], {
    ...execution(machine),
    timeout: 20_000,
  });
  machine.signal.throwIfAborted();
  return parseJavaVersion(`${stderr}\n${stdout}`);
}

/** Parses the output of `java -version`: 8 for `"1.8.0_392"`, 17 for `"17.0.15"`, 21 for `"21-ea"`. */
export function parseJavaVersion(text: string): number | undefined {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (first === undefined) return undefined;
  return Number(first === '1' && second !== undefined ? second : first);
}
