import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CliError } from '../../errors.ts';
import { faultOf } from '../../files/fault.ts';
import { absolutePath, expandHome } from '../../files/locations.ts';
import { excerpt } from '../../format/excerpt.ts';
import { splitWords } from '../../format/shell-word.ts';
import type { Host } from '../../host/host.ts';
import { envName, type OptionKey, optionOf, secretPartOf } from '../options.ts';
import { findContradictions, settingOf } from '../settings/checks.ts';
import { mergeLayers, type Settings, tlsPrefixes } from '../settings/merge.ts';
import { isGiven } from '../settings/secret-rule.ts';
import type { ProfileFile, StoredProfile } from './file.ts';
import { renderPrompt } from './prompt-format.ts';

/** One check of `profile validate`. */
export interface CheckRow {
  /** Null for checks of the file itself. */
  readonly profile: string | null;
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  /** Empty if the check passed. */
  readonly message: string;
}

/** The file to check. */
export interface CheckedFile {
  readonly path: string;
  readonly file: ProfileFile | undefined;
  /** The only profile to check; undefined checks all. */
  readonly only: string | undefined;
}

/** Loads TLS files in the same way as the clients do. */
export type LoadTls = (files: {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly insecureSkipVerify: boolean;
  readonly keyPrefix: string;
}) => Promise<unknown>;

/** The parts of the outside world that the checks need. */
export interface CheckWorld {
  readonly host: Host;
  readonly loadTls: LoadTls;
}

/** Checks a profile file and its profiles without opening a connection. */
export async function checkProfileFile(
  world: CheckWorld,
  { path, file, only }: CheckedFile,
): Promise<readonly CheckRow[]> {
  if (file === undefined) return [row(null, 'file', ['warning', `the file ${path} does not exist`])];
  const rows = [...checkFile(file)];
  for (const profile of file.profiles) {
    if (only === undefined || profile.name === only) rows.push(...(await checkProfile(world, profile)));
  }
  return rows;
}

type Answer = readonly [CheckRow['status'], string];

function row(profile: string | null, check: string, [status, message]: Answer): CheckRow {
  return { profile, check, status, message };
}

function failures(faults: readonly string[]): readonly Answer[] {
  return faults.length === 0 ? [['ok', '']] : faults.map((fault): Answer => ['failed', fault]);
}

function checkFile(file: ProfileFile): readonly CheckRow[] {
  const { path, errors, current, profiles, readableByOthers } = file;
  const isMissing = current !== undefined && !profiles.some(({ name }) => name === current.name);
  const selection = isMissing ? [`${path}:${current.line}: profile "${current.name}" does not exist`] : [];
  return [
    ...failures(errors.map(({ message }) => message)).map((answer) => row(null, 'file', answer)),
    ...failures(selection).map((answer) => row(null, 'selection', answer)),
    row(
      null,
      'permissions',
      readableByOthers ? ['warning', `other users can read it: run chmod 600 ${path}`] : ['ok', ''],
    ),
  ];
}

async function checkProfile(world: CheckWorld, { name, options }: StoredProfile): Promise<readonly CheckRow[]> {
  const settings = mergeLayers([options]);
  const wrong = [...options.errors, ...findContradictions(settings, [options])].map(({ message }) => message);
  return [
    ...failures(wrong).map((answer) => row(name, 'options', answer)),
    ...failures(await findTlsFaults(world, settings)).map((answer) => row(name, 'tls', answer)),
    ...findSaslGaps(settings).map((gap) => row(name, 'sasl', gap)),
    ...(await findUnreadable(world.host, settings, isSecretFile)).map((fault) =>
      row(name, 'secrets', ['failed', fault]),
    ),
    ...(await findMissingPrograms(world.host, settings)).map((fault) => row(name, 'secrets', ['failed', fault])),
    ...failures(findPromptFaults(settings)).map((answer) => row(name, 'prompt', answer)),
  ];
}

function isSet(settings: Settings, key: OptionKey): boolean {
  return settings.get(key)?.value !== '';
}

function findHalves(settings: Settings): readonly string[] {
  return tlsPrefixes.flatMap((prefix) => {
    const [cert, key] = [`${prefix}tls.cert`, `${prefix}tls.key`] as const;
    if (isSet(settings, cert) === isSet(settings, key)) return [];
    return isSet(settings, cert) ? [`${cert} is set without ${key}`] : [`${key} is set without ${cert}`];
  });
}

function isSecretFile(key: OptionKey): boolean {
  return secretPartOf(key)?.way === 'file';
}

async function findUnreadable(
  host: Host,
  settings: Settings,
  isMeant: (key: OptionKey) => boolean,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { key, value } of settings.values()) {
    if (optionOf(key).kind.completes !== 'file' || value === '' || !isMeant(key)) continue;
    const path = absolutePath(host, String(value));
    await access(path, constants.R_OK).catch((error: unknown) =>
      faults.push(`${key}: unable to read ${path}: ${faultOf(error)}`),
    );
  }
  return faults;
}

/** The faults of the commands for secrets whose program is not there. None is run. */
async function findMissingPrograms(host: Host, settings: Settings): Promise<readonly string[]> {
  // Windows has rules of its own for the names of programs.
  if (host.platform === 'win32') return [];
  const faults: string[] = [];
  for (const { key, value } of settings.values()) {
    if (secretPartOf(key)?.way !== 'command' || value === '') continue;
    const [program = ''] = splitWords(String(value));
    const path = expandHome(host.home, program);
    const places = path.includes('/') ? [''] : (host.env.PATH ?? '').split(delimiter);
    const checks = await Promise.all(places.map((place) => isProgram(place === '' ? path : join(place, path))));
    if (!checks.includes(true)) faults.push(`${key}: there is no program "${excerpt(program)}"`);
  }
  return faults;
}

async function isProgram(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function findTlsFaults({ host, loadTls }: CheckWorld, settings: Settings): Promise<readonly string[]> {
  const faults = [...findHalves(settings), ...(await findUnreadable(host, settings, (key) => !isSecretFile(key)))];
  if (faults.length > 0) return faults;
  for (const prefix of tlsPrefixes) {
    const keyPrefix = `${prefix}tls` as const;
    const file = (part: 'ca' | 'cert' | 'key') => {
      const path = settingOf(settings, `${keyPrefix}.${part}`).value;
      return path === '' ? undefined : absolutePath(host, path);
    };
    const files = { ca: file('ca'), cert: file('cert'), key: file('key') };
    if (files.ca === undefined && files.cert === undefined) continue;
    // Verification is off so that the system's CA certificates are not read.
    await loadTls({ ...files, insecureSkipVerify: true, keyPrefix }).catch((error: unknown) =>
      faults.push(error instanceof Error ? error.message : String(error)),
    );
  }
  return faults;
}

/** Returns warnings only, because the missing half may come from the environment. */
function findSaslGaps(settings: Settings): readonly Answer[] {
  const gaps = findOwnGaps(settings);
  return gaps.length === 0 ? findCommonGaps(settings) : gaps;
}

/** A user of one API never gets the password of the brokers. */
function findOwnGaps(settings: Settings): readonly Answer[] {
  return (['admin', 'registry'] as const).flatMap((api): readonly Answer[] => {
    const [user, pass] = [`${api}.user`, `${api}.pass`] as const;
    if (!isSet(settings, user) || isGiven(settingOf(settings, pass))) return [];
    return [['warning', `${user} is set, but ${pass} is not: set ${envName(pass)}`]];
  });
}

function findCommonGaps(settings: Settings): readonly Answer[] {
  const hasUser = isSet(settings, 'user');
  const hasPass = isGiven(settingOf(settings, 'pass'));
  if (hasUser && !hasPass) return [['warning', 'user is set, but pass is not: set WEIR_PASS']];
  if (!hasUser && isSet(settings, 'sasl.mechanism')) return [['warning', 'sasl.mechanism is set, but user is not']];
  return [!hasUser && hasPass ? ['warning', 'pass is set, but user is not'] : ['ok', '']];
}

function findPromptFaults(settings: Settings): readonly string[] {
  try {
    renderPrompt(settingOf(settings, 'globals.prompt').value, '', { color: false });
    return [];
  } catch (error) {
    // A row is one line, so only the first line of the message is kept.
    return [(error instanceof CliError ? error.message : String(error)).split('\n', 1)[0] ?? ''];
  }
}
