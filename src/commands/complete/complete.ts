import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { any, type Command, command, type Entry, flag, optional, toggle } from '../../cli/command.ts';
import { readLine, unquoted, wordsOf } from '../../cli/completion/line.ts';
import { realClock } from '../../clock.ts';
import { jsonValue } from '../../config/options.ts';
import { readProfiles } from '../../config/profile/file.ts';
import type { ConfigArguments } from '../../config/sources/selection.ts';
import type { Context, OpenContext } from '../../context.ts';
import { CliError, exitCodes } from '../../errors.ts';
import { cacheDirectory, stateDirectory } from '../../files/locations.ts';
import { printable } from '../../format/printable.ts';
import type { Host } from '../../host/host.ts';
import { text } from '../../kinds.ts';
import { listOf, string } from '../../shape/shape.ts';
import { clusterKey } from './cluster-key.ts';
import { type NameSource, namesNow, refreshNames } from './live-names.ts';
import { createNameCache, type Name } from './name-cache.ts';

/**
 * When the cluster's answer is too late, and when the process exits, in milliseconds after its start. For the shell, Node.js
 * adds about 20 ms.
 */
const inShell = { answerMs: 105, endMs: 125 };
const inBackground = { answerMs: 4_800, endMs: 6_000 };

/**
 * `weir __complete`: candidates for completion scripts, which contain all fixed words and call it for names only. The rest of
 * the line says which configuration counts, and with `SUBJECT:described` what is known about a name follows it after a tab.
 * Names of the last 10 s come from a cache, without loading the client. Older ones do, too, while a detached process
 * (`--refresh`, one per cache file) replaces them. Without any, the cluster is asked, and a failure is remembered for 10 s.
 * Errors are silent, because the command itself will report them. It never fails, never prompts and never writes to stderr. */
export function complete(commands: readonly Entry[]): Command {
  return command({
    summary: 'Print candidates for a completion script',
    hidden: true,
    examples: [
      ['Names of the profiles', '__complete profiles'],
      [
        'Topics, for the line "weir topic describe --profile prod or"',
        '__complete topics -- or topic describe --profile prod',
      ],
    ],
    args: {
      subject: optional(
        text,
        'SUBJECT',
        'profiles, sandboxes, topics, places (topics of any profile), groups, users, roles, brokers, configs, subjects, transforms, migrations, mountable-topics, bundle-jobs, admin-topics, admin-brokers, cloud-clusters, cloud-networks or resource-groups; with :described after it, each name is followed by a tab and what is known about it',
      ),
      words: any(text, 'WORD', 'the word to complete, then the other words of the line'),
    },
    flags: {
      quoted: toggle({ help: 'the words are quoted for a shell' }),
      word: flag(text, { help: 'the word to complete, for shells that drop empty arguments; all others are the line' }),
      refresh: toggle({ help: 'ask the cluster and print nothing; the line is a JSON list on standard input' }),
    },
    changes: 'reads',
    result: listOf(string),
    async run(context, { subject: wanted = '', words, word, quoted, refresh }) {
      // A flag would load the parser of flags, which takes longer than all other work.
      const [subject = '', form] = wanted.split(':', 2);
      const [typed = '', ...line] = [...(word === undefined ? [] : [word]), ...(quoted ? words.map(unquoted) : words)];
      try {
        const { given: ofLine, own } = await readLine(commands, refresh ? await typedLine(context.host) : line);
        const given = both(context.given, ofLine);
        const question = { subject: forcedSubject(subject, own.get('api')), given, refresh };
        const names = await (subject === 'places' ? placeNames(context, question, typed) : namesOf(context, question));
        return refresh ? [] : offered(subject, names, { typed, described: form === 'described' });
      } catch {
        return []; // a broken file has no candidates; the next command reports what is wrong
      }
    },
    show: { text: (names) => names.map((name) => `${name}\n`).join('') },
  });
}

/** The configuration of a line that an alias or a function begins with flags of its own. */
function both(before: ConfigArguments, line: ConfigArguments): ConfigArguments {
  return {
    ...before,
    ...line,
    x: [...before.x, ...line.x],
    deprecated: [...before.deprecated, ...line.deprecated],
  };
}

/** The APIs that know the names of a subject, if it is not that of Kafka alone. */
const apiOf: ReadonlyMap<string, Parameters<typeof clusterKey>[1]> = new Map([
  ['users', 'either'],
  ['configs', 'either'],
  ['roles', 'admin'],
  ['transforms', 'admin'],
  ['migrations', 'admin'],
  ['mountable-topics', 'admin'],
  ['bundle-jobs', 'admin'],
  ['admin-topics', 'admin'],
  ['admin-brokers', 'admin'],
  ['admin-users', 'admin'],
  ['admin-configs', 'admin'],
  ['subjects', 'registry'],
  ['cloud-clusters', 'cloud'],
  ['cloud-networks', 'cloud'],
  ['resource-groups', 'cloud'],
]);

/** The subject to ask for when the line has the flag `--api`: two subjects have other names in each API. */
function forcedSubject(subject: string, api: string | undefined): string {
  const isOfEither = apiOf.get(subject) === 'either';
  return isOfEither && (api === 'admin' || api === 'kafka') ? `${api}-${subject}` : subject;
}

interface Question {
  readonly subject: string;
  readonly given: ConfigArguments;
  readonly refresh: boolean;
  /** Whether the options are those of the profile on the line, whatever the environment says. */
  readonly isProfileAlone?: boolean;
}

/** The line that the process in the background completes. */
async function typedLine({ stdin }: Host): Promise<readonly string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin.stream) chunks.push(Buffer.from(chunk));
  const words: unknown = JSON.parse(Buffer.concat(chunks).toString());
  return Array.isArray(words) ? words.map(String) : [];
}

/** Topics of the command's profile and the names of the others; after the name of one, its topics. */
async function placeNames(context: Context, { given, refresh }: Question, typed: string): Promise<readonly Name[]> {
  const colon = typed.lastIndexOf(':');
  if (colon < 0) {
    const profiles = await namesOf(context, { subject: 'profiles', given, refresh });
    const topics = await namesOf(context, { subject: 'topics', given, refresh });
    return [...topics, ...profiles.map((one) => renamed(one, (name) => `${name}:`))];
  }
  const profile = typed.slice(0, colon);
  const ofProfile = { ...given, x: [], deprecated: [], profile };
  const topics = await namesOf(context, { subject: 'topics', given: ofProfile, refresh, isProfileAlone: true });
  return topics.map((one) => renamed(one, (name) => `${profile}:${name}`));
}

function renamed(one: Name, change: (name: string) => string): Name {
  return typeof one === 'string' ? change(one) : [change(one[0]), one[1]];
}

async function namesOf(context: Context, question: Question): Promise<readonly Name[]> {
  const outer = context.another(question.given);
  const { profile } = question.given;
  const inner = question.isProfileAlone && profile !== undefined ? outer.ofProfile(profile) : outer;
  try {
    if (question.subject === 'profiles') return await profileNames(inner);
    if (question.subject === 'sandboxes') return await sandboxNames(inner.host);
    return await clusterNames(inner, question);
  } finally {
    outer.abort(new Error('no longer needed'));
    await outer.close();
  }
}

/** The profiles, each with its description or its brokers. */
async function profileNames(context: Context): Promise<readonly Name[]> {
  const { configFile } = context.profileSelection();
  const file = configFile && (await readProfiles(configFile.path));
  if (file === undefined) return [];
  return file.profiles.map(({ name, description, options }): Name => {
    const brokers = options.entries.get('brokers');
    const about = description || (brokers && jsonValue('brokers', brokers.value));
    return about === undefined ? name : [name, String(about)];
  });
}

/** The sandboxes of this machine. Their own code is not loaded: it would take longer than all other work. */
async function sandboxNames(host: Host): Promise<readonly Name[]> {
  const directory = stateDirectory(host);
  if (directory === undefined) return [];
  const entries = await readdir(join(directory, 'sandbox'), { withFileTypes: true });
  return entries.flatMap((one) => (one.isDirectory() ? one.name : [])).sort();
}

async function clusterNames(inner: OpenContext, { subject, given, refresh }: Question): Promise<readonly Name[]> {
  const { host } = inner;
  const directory = cacheDirectory(host);
  if (directory === undefined || !/^[a-z-]+$/.test(subject)) return [];
  const api = apiOf.get(subject) ?? 'kafka';
  const cache = createNameCache(
    join(directory, 'complete', `${clusterKey(await inner.config(), api)}.${subject}.json`),
  );
  const { answerMs, endMs } = refresh ? inBackground : inShell;
  const leftMs = answerMs - host.uptimeMs();
  const source: NameSource = {
    clock: realClock,
    cache,
    ask() {
      // What cannot be canceled, such as the lookup of a host name, must not keep the process alive.
      host.abandonOutput(exitCodes.ok, endMs - host.uptimeMs());
      return askQuietly(inner, subject);
    },
    // The line may contain a password, which must not appear in the list of processes.
    startRefresh: () => host.spawnSelf(['__complete', subject, '--refresh'], JSON.stringify(wordsOf(given))),
  };
  if (!refresh) return await namesNow(source, leftMs);
  await cache.refreshing(inner.signal, () => refreshNames(source, leftMs));
  return [];
}

async function askQuietly(inner: OpenContext, subject: string): Promise<readonly Name[] | undefined> {
  const { clusterSubjects } = await import('./subjects.ts');
  try {
    return await clusterSubjects.get(subject)?.(inner);
  } catch (error) {
    // Nothing was sent: a password may be missing, for example.
    if (error instanceof CliError && error.exitCode === exitCodes.usage) return undefined;
    throw error;
  }
}

/** What a shell has typed, and whether it shows what is known about a name. */
export interface Typed {
  readonly typed: string;
  readonly described?: boolean;
}

/**
 * The names to offer for a typed word. Shells compare in ways of their own, some anywhere in a name and without regard to
 * case, so only names that none would take are left out; so are names that could control the terminal.
 */
export function offered(subject: string, names: readonly Name[], { typed, described }: Typed): readonly string[] {
  const part = typed.toLowerCase();
  const hidesInternal = /(topics|places)$/.test(subject) && !/(^|:)_/.test(typed);
  return names.flatMap((one) => {
    const [name, about = ''] = typeof one === 'string' ? [one] : one;
    // A name that begins with a hyphen would be read as a flag.
    if (name === '' || name.startsWith('-') || !name.toLowerCase().includes(part) || printable(name) !== name)
      return [];
    if (hidesInternal && /(^|:)__/.test(name)) return [];
    return [described && about !== '' ? `${name}\t${printable(about)}` : name];
  });
}
