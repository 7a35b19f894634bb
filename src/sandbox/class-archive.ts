import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { execa } from 'execa';
import { withLock } from './lock.ts';
import { execution, type Machine } from './machine.ts';
import { exists } from './maven.ts';

/** A Java and the directory with the jars of what it runs. */
interface Classes {
  /** Path of the `java` program. */
  readonly java: string;
  readonly libraries: string;
}

/** A run of a Java program from which the archive of its classes is written. */
interface Training {
  /** What starts faster afterwards, for the progress line. */
  readonly name: string;
  /** Prepares an empty directory, in which the program then runs, and returns Java's arguments. */
  begin(directory: string): Promise<readonly string[]>;
  isReady(): Promise<boolean>;
  /** Uses the program, so that it loads what its later runs need. */
  use(): Promise<void>;
}

/** How long the run and the writing of the archive may take, in milliseconds. */
const limitMs = 180_000;

/** The arguments that make Java use the archive of the classes; none if it has not been written. */
export async function sharedClasses(classes: Classes): Promise<readonly string[]> {
  const archive = await archiveOf(classes);
  return (await exists(archive)) ? [`-XX:SharedArchiveFile=${archive}`] : [];
}

/**
 * Writes the archive of classes of this Java, unless there is one: runs the program once, uses it, and stops it. Later
 * starts take about half the time. A failure is no error, because Java also starts without an archive.
 */
export async function writeClassArchive(machine: Machine, classes: Classes, training: Training): Promise<void> {
  const archive = await archiveOf(classes);
  if (await exists(archive)) return;
  await withLock(archive, machine.lockWait, async () => {
    if (await exists(archive)) return;
    machine.progress(`preparing a fast start of ${training.name} (only needed once)`);
    await train(machine, { ...classes, archive }, training).catch(() => undefined);
    machine.signal.throwIfAborted();
  });
}

async function train(
  machine: Machine,
  { java, archive }: { readonly java: string; readonly archive: string },
  { begin, isReady, use }: Training,
): Promise<void> {
  const scratch = `${archive}.new`;
  const cwd = await mkdtemp(join(tmpdir(), 'weir-training-'));
  try {
    const run = execa(java, [`-XX:ArchiveClassesAtExit=${scratch}`, ...(await begin(cwd))], {
      cwd,
      ...execution(machine),
      stdout: 'ignore',
      stderr: 'ignore',
      timeout: limitMs,
      killSignal: 'SIGKILL',
    });
    try {
      const ended = run.then(() => true);
      while (!(await isReady())) if (await Promise.race([ended, delay(100, false)])) return;
      await use();
      run.kill('SIGTERM');
      await ended;
      if (await exists(scratch)) await rename(scratch, archive);
    } finally {
      run.kill('SIGKILL');
      await run;
    }
  } finally {
    await Promise.all([scratch, cwd].map((path) => rm(path, { recursive: true, force: true })));
  }
}

/**
 * The file of the classes that Java has loaded and verified once, so that the next start need not (application class
 * data sharing). It is only valid for the Java that wrote it: another build of Java has another file name, and Java
 * itself ignores an archive that does not fit.
 */
async function archiveOf({ java, libraries }: Classes): Promise<string> {
  const file = await realpath(java).catch(() => java);
  const { mtimeMs, size } = await stat(file).catch(() => ({ mtimeMs: 0, size: 0 }));
  const build = createHash('sha256').update(`${file}\0${mtimeMs}\0${size}`).digest('hex').slice(0, 12);
  return join(libraries, `classes-${build}.jsa`);
}
