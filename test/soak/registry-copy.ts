import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { stop } from '../../src/sandbox/process.ts';
import { testMachine } from '../services/brokers.ts';
import { startRegistry } from '../services/start-registry.ts';
import {
  contentOf,
  empty,
  fill,
  hasContexts,
  importingIn,
  keepsIds,
  namesIn,
  type PlainRegistry,
  requireSame,
  type Sameness,
  setMode,
} from './registry/plain-registry.ts';
import { type SampleSubject, sampleSubjects } from './registry/sample-subjects.ts';
import { startWeir, type WeirOutcome } from './weir-process.ts';

const usage = 'usage: npm run soak -- registry-copy URL [--subjects N] [--rounds N]';

/** The parts of the soak. */
interface Place {
  /** Files of weir: profiles, and those of clusters. */
  readonly home: string;
  readonly samples: readonly SampleSubject[];
  readonly rounds: number;
  /** Starts an empty Apicurio, and gives its profile the name `apicurio`; the one before it is stopped. */
  apicurio(): Promise<PlainRegistry>;
  /** The registry of another maker, with the profile `given`. */
  readonly given: PlainRegistry;
  proof(name: string, result: string): void;
}

/** A copy from one registry to another. */
interface Direction {
  readonly from: PlainRegistry;
  /** Empties the destination. */
  readonly to: () => Promise<PlainRegistry>;
  readonly keepsIds: boolean;
}

/**
 * `npm run soak -- registry-copy URL`: copies subjects between Apicurio Registry and an empty registry of another maker, which
 * somebody has started, in both directions, and compares what they have without weir's client. Returns the exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { subjects: { type: 'string', default: '330' }, rounds: { type: 'string', default: '10' } },
  });
  const [url, ...others] = positionals;
  const [subjects, rounds] = [Number(values.subjects), Number(values.rounds)];
  if (url === undefined || others.length > 0 || !(subjects > 0) || !(rounds > 0)) throw new Error(usage);
  const given = { name: 'given', url: url.replace(/\/$/, '') };
  const names = await namesIn(given).catch((error: unknown) => {
    throw new Error(`no registry answers at ${url}`, { cause: error });
  });
  if (names.length > 0) throw new Error(`the registry at ${url} is not empty, and this deletes all that it has`);
  const home = await mkdtemp(join(tmpdir(), 'weir-soak-'));
  let end = async (): Promise<void> => undefined;
  let started = 0;
  try {
    await createProfile(home, given);
    await soak({
      ...{ home, rounds, given, samples: sampleSubjects(subjects) },
      proof: (name, result) => void process.stdout.write(`| ${name} | ${result} |\n`),
      async apicurio() {
        await end();
        started += 1;
        const directory = join(home, `apicurio-${started}`);
        const { url, process: id } = await startRegistry(directory, testMachine(new AbortController().signal));
        end = async () => void (await stop(id, { graceMs: 0 }));
        const registry = { name: 'apicurio', url };
        await createProfile(home, registry);
        return registry;
      },
    });
  } finally {
    await end();
    await empty(given);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  return 0;
}

async function createProfile(home: string, { name, url }: PlainRegistry): Promise<void> {
  await begin(home, ['profile', 'delete', name, '--yes']).ended;
  await weir(home, ['profile', 'create', name, '--set', `registry.hosts=${url}`]);
}

interface Ended extends WeirOutcome {
  readonly stdout: string;
}

function begin(home: string, words: readonly string[]) {
  const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_STATE_HOME: home };
  const running = startWeir('127.0.0.1:1', words, { stdout: 'pipe', env });
  const stdout = text(running.child.stdout as Readable);
  return { ...running, ended: running.done.then(async (done): Promise<Ended> => ({ ...done, stdout: await stdout })) };
}

/** Runs weir. @throws Error if it ends with another exit code */
async function weir(home: string, words: readonly string[], exitCode = 0): Promise<Ended> {
  const ended = await begin(home, words).ended;
  if (ended.exitCode === exitCode) return ended;
  throw new Error(
    `weir ${words.join(' ')} ended with ${ended.exitCode}: ${ended.stderr}\n${ended.stdout.slice(-2000)}`,
  );
}

async function soak(place: Place): Promise<void> {
  const { given, samples } = place;
  const isKeeping = await keepsIds(given);
  const isInContexts = await hasContexts(given);
  place.proof('given registry', `${isKeeping ? 'keeps' : 'assigns'} ids, ${isInContexts ? 'has' : 'lacks'} contexts`);
  const apicurio = await place.apicurio();
  await fill(apicurio, samples);
  const emptied = async () => {
    await empty(given);
    return given;
  };
  await proveCopies(place, { from: apicurio, to: emptied, keepsIds: isKeeping });
  await proveFiles(place, given);
  await empty(given);
  await fill(given, samples);
  if (isKeeping && isInContexts) await proveContext(place);
  await proveCopies(place, { from: given, to: place.apicurio, keepsIds: false });
  await proveFiles(place, await place.apicurio());
}

function copyWords({ from, keepsIds: isKeeping }: Direction, to: PlainRegistry): readonly string[] {
  return [
    'registry',
    'copy',
    `${from.name}:`,
    `${to.name}:`,
    '--deleted',
    '--yes',
    ...(isKeeping ? [] : ['--new-ids']),
  ];
}

async function proveCopies(place: Place, direction: Direction): Promise<void> {
  const { home, proof, samples } = place;
  const { from, keepsIds: isKeeping } = direction;
  const to = await direction.to();
  const name = `${from.name} → ${to.name}, ${isKeeping ? 'with ids' : '--new-ids'}`;
  const words = copyWords(direction, to);
  const readOnly = samples[3]?.subject ?? '';
  const keepsMode = isKeeping && (await setMode(to, readOnly, 'READONLY'));
  const { seconds } = await weir(home, words);
  const sameness = { ids: isKeeping };
  const [source, copied] = [await contentOf(from), await contentOf(to)];
  const result = requireSame(source, copied, sameness);
  const modes = copied.filter(({ mode }) => mode !== null).map(({ subject, mode }) => `${subject} ${mode}`);
  if (modes.join() !== (keepsMode ? `${readOnly} READONLY` : '')) throw new Error(`modes are left: ${modes.join()}`);
  proof(name, `${seconds.toFixed(1)} s; ${result}${keepsMode ? '; the one READONLY subject is so again' : ''}`);
  const again = await weir(home, words);
  if (/\bOK$/m.test(again.stdout)) throw new Error(`a second copy changes something:\n${again.stdout}`);
  requireSame(copied, await contentOf(to), { ids: true });
  proof('the same again', `${again.seconds.toFixed(1)} s; nothing is copied twice`);
  for (const signal of ['SIGKILL', 'SIGINT'] as const) await proveStops(place, direction, signal);
}

/** Stops copies at random moments, and repeats them. */
async function proveStops(place: Place, direction: Direction, signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  const { home, rounds, samples } = place;
  const source = await contentOf(direction.from);
  const found = { before: 0, between: 0, after: 0, importing: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const to = await direction.to();
    const words = copyWords(direction, to);
    const copy = begin(home, words);
    const moment = Math.random() * source.length;
    while (copy.child.exitCode === null && (await namesIn(to)).length <= moment) await delay(5);
    copy.child.kill(signal);
    const { exitCode, stderr } = await copy.ended;
    // Before the first change, the signal itself ends it.
    if (signal === 'SIGINT' && exitCode !== null && exitCode !== 130 && exitCode !== 0)
      throw new Error(`Ctrl-C ended the copy with ${exitCode}: ${stderr}`);
    const count = (await namesIn(to)).length;
    found[count === 0 ? 'before' : count < source.length ? 'between' : 'after'] += 1;
    const importing = await importingIn(
      to,
      samples.map(({ subject }) => subject),
    );
    found.importing += importing.length;
    if (importing.length > (signal === 'SIGKILL' ? 1 : 0)) throw new Error(`in IMPORT: ${importing.join(', ')}`);
    const again = await weir(home, words);
    for (const subject of importing) {
      const command = `registry mode reset ${subject} --profile ${to.name}`;
      if (!again.stderr.includes(`weir ${command}`)) throw new Error(`nobody names ${subject}: ${again.stderr}`);
      await weir(home, [...command.split(' '), '--yes']);
    }
    const copied = await contentOf(to);
    requireSame(source, copied, { ids: direction.keepsIds });
    const left = copied.filter(({ mode }) => mode !== null);
    if (left.length > 0) throw new Error(`modes are left: ${left.map(({ subject }) => subject).join(', ')}`);
  }
  const { before, between, after, importing } = found;
  const modes = direction.keepsIds ? `; ${importing} subjects were left in IMPORT, and named by the next run` : '';
  place.proof(
    `${rounds} × ${signal === 'SIGKILL' ? 'kill -9' : 'Ctrl-C'}`,
    `${before} before the first subject, ${between} between, ${after} after the last${modes}; the same command made the rest, equal each time`,
  );
}

async function proveContext({ home, given, proof }: Place): Promise<void> {
  const sameness: Sameness = { ids: true, context: ':.soak:' };
  const source = await contentOf(given);
  const { seconds } = await weir(home, ['registry', 'copy', 'given:', 'given::.soak:', '--deleted', '--yes']);
  const copied = (await contentOf(given)).filter(({ subject }) => subject.startsWith(':.soak:'));
  proof('given → a context of it', `${seconds.toFixed(1)} s; ${requireSame(source, copied, sameness)}`);
}

/** Applies the latest schemas of the samples as files, and finds no difference. */
async function proveFiles({ home, samples, proof }: Place, to: PlainRegistry): Promise<void> {
  await empty(to);
  const directory = join(home, 'files');
  await mkdir(directory, { recursive: true });
  const ending = { AVRO: 'avsc', PROTOBUF: 'proto', JSON: 'json' } as const;
  const schemas: Record<string, unknown> = {};
  for (const { subject, type, level, versions } of samples) {
    const latest = versions.at(-1);
    if (latest === undefined || latest.isDeleted) continue;
    const file = `${subject}.${ending[type]}`;
    await writeFile(join(directory, file), latest.text);
    const references = latest.references.map((one) => ({ [one.name]: one.subject }));
    schemas[subject] = { file, ...(level !== undefined && { level }), ...(references.length > 0 && { references }) };
  }
  await writeFile(join(directory, 'cluster.yaml'), stringify({ weir: 1, schemas }));
  const options = [directory, '--profile', to.name];
  const applied = await weir(home, ['apply', ...options, '--yes']);
  const compared = await weir(home, ['diff', ...options]);
  if (compared.stdout !== '') throw new Error(`diff finds differences after apply:\n${compared.stdout.slice(0, 2000)}`);
  const found = new Map((await contentOf(to)).map((one) => [one.subject, one]));
  for (const { subject, level = null, type, versions } of samples) {
    const one = found.get(subject);
    if (schemas[subject] === undefined) continue;
    const [text, wanted] = [one?.versions[0]?.text ?? '', versions.at(-1)?.text ?? ''];
    const isSame = type === 'PROTOBUF' ? text.trim() === wanted.trim() : JSON.stringify(JSON.parse(text)) === wanted;
    if (!isSame || one?.level !== level)
      throw new Error(`${subject} differs: ${level} ${wanted}\n${JSON.stringify(one)}`);
  }
  const times = `apply ${applied.seconds.toFixed(1)} s, diff ${compared.seconds.toFixed(1)} s`;
  proof(
    `a cluster file → ${to.name}`,
    `${times}; ${Object.keys(schemas).length} subjects as in the files, diff finds nothing`,
  );
}
