import { isAbsolute, join } from 'node:path';
import { joinErrors } from '../../config/layer.ts';
import type { Context } from '../../context.ts';
import { CliError, exitCodes, type ItemError, itemErrorOf, rephrased } from '../../errors.ts';
import { type ScramMechanism, scramMechanisms } from '../../kafka/cluster/access/scram-words.ts';
import type { NewCredential } from '../../kafka/cluster/access/user-rows.ts';
import { isObject } from '../../shape/object.ts';
import { described, filled, leftOut, type RowOf, type Shape, word } from '../../shape/shape.ts';
import { byName, checked, emptyIfNull, Faults, fields, items, wholeFrom } from '../file/fields.ts';
import { removalFault, removalFields } from '../file/removal.ts';
import type { Difference } from '../plan/plan-rows.ts';
import {
  type Change,
  factsOf,
  type Kind,
  kind,
  type PlanOptions,
  type Round,
  type Scope,
  type Wanted,
} from './kind.ts';
import { refused, unnamed } from './refusal.ts';
import { errorsOf, inParts, type Sending } from './sending.ts';

/** Where a password is: it is never in the file itself. */
const sourceFields = fields({
  env: leftOut(described(filled, 'name of an environment variable')),
  file: leftOut(described(filled, 'path of a file with one line, seen from the folder of the cluster file')),
  command: leftOut(described(filled, 'a command that prints it; no shell is involved')),
  keychain: leftOut(described(filled, 'name of an entry in the keychain of the system')),
});

const sources = checked(sourceFields, (given) =>
  Object.keys(given).length === 1 ? undefined : 'name one source: env, file, command or keychain',
);

/** A password in the file would be in a repository, in a review and in a backup. */
const password: Shape<RowOf<typeof sourceFields>> = {
  ...sources,
  take(value) {
    if (isObject(value)) return sources.take(value);
    const why = 'a password must not be in the file; name where it is: {env: NAME}, {file: PATH} or {command: …}';
    return new Faults([{ way: [], why }]);
  },
};

const mechanism = word(...scramMechanisms);

const userShape = checked(
  emptyIfNull(
    fields({
      mechanisms: leftOut(described(items(mechanism), 'what the user may sign in with (default: SCRAM-SHA-256)')),
      iterations: leftOut(described(wholeFrom(4096, 16_384), 'how often the password is hashed')),
      password: leftOut(described(password, 'where the password is; it is set for a new user, and with --rotate')),
      ...removalFields,
    }),
  ),
  removalFault,
);

const usersShape = byName(userShape, (name) => (name.startsWith('User:') ? 'leave out "User:"' : undefined));

interface WantedUser extends RowOf<typeof userShape> {
  readonly name: string;
  readonly way: readonly string[];
}

interface ExistingUsers {
  /** The iterations of each mechanism that a user has, by user. */
  readonly credentials: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** On Redpanda, a user has one mechanism: setting another ends it. */
  readonly isRedpanda: boolean;
}

const defaultIterations = 4096;

/** Users with SCRAM credentials. */
export const users: Kind = kind<WantedUser, ExistingUsers>({
  noun: 'user',
  sections: { users: usersShape },
  ownedBy: ['users'],

  wanted({ users: given = {} }) {
    return Object.entries(given as RowOf<typeof usersShape>).map(([name, entry]) => {
      return { ...entry, name, way: ['users', name] };
    });
  },

  ruled: {
    fields: ['name', 'mechanisms', 'iterations'],
    things: ({ name, way, absent, mechanisms, iterations }) =>
      absent === true ? [] : [{ way, fields: factsOf({ name, mechanisms, iterations }) }],
  },

  // A saved plan is applied without the files, and from the same folder.
  async withFiles({ users: given, ...sections }, _read, folder) {
    if (given === undefined) return sections;
    const placed = Object.entries(given as RowOf<typeof usersShape>).map(([name, entry]) => {
      const path = entry.password?.file;
      if (path === undefined || isAbsolute(path) || path.startsWith('~')) return [name, entry] as const;
      return [name, { ...entry, password: { file: join(folder, path) } }] as const;
    });
    return { ...sections, users: Object.fromEntries(placed) };
  },

  async read(context) {
    const kafka = await context.kafka();
    const [listed, isRedpanda] = await Promise.all([listedUsers(context), kafka.isRedpanda()]);
    const credentials = listed.map(
      ({ user, credentials: given }) =>
        [user, new Map(given.map((one) => [one.mechanism, one.iterations ?? defaultIterations]))] as const,
    );
    return { credentials: new Map(credentials), isRedpanda: isRedpanda === true };
  },

  compare({ wanted, owns }, existing, options) {
    const named = [...wanted.values()].flatMap((user) => compareUser(user, existing, options));
    const others = [...existing.credentials].filter(([name]) => !wanted.has(name) && owns?.(name) === true);
    return [
      ...named,
      ...others.map(([name, credentials]) => unnamed(options, (why) => deletion(name, credentials, why))),
    ];
  },

  async judge(context, { changes }, { force }) {
    const config = await context.config();
    const own = config.get('user');
    const mechanism = config.get('sasl.mechanism') || 'SCRAM-SHA-256';
    const isOwnEnd = ({ name, action, changes: differences }: Change) =>
      name === own &&
      (action === 'delete' ||
        (action === 'update' && differences.some(({ path, to }) => to === null && path === mechanism)));
    return changes.map((change) => {
      if (force || !isOwnEnd(change)) return change;
      return refused({ ...change, action: 'blocked', why: 'it ends your own sign-in; --force does it' });
    });
  },

  order: ({ action }) => (action === 'delete' ? 150 : 10),

  prepare: readPasswords,

  async apply(context, round, sending) {
    await setCredentials(context, round, sending);
    await deleteCredentials(context, round, sending);
  },

  export({ credentials }, owns) {
    const owned = [...credentials].filter(([name]) => owns(name));
    if (owned.length === 0) return {};
    const variables = variablesOf(owned.map(([name]) => name));
    return {
      users: Object.fromEntries(
        owned.map(([name, one]) => [name, exportedUser(one, variables.get(name) ?? '')] as const),
      ),
    };
  },
});

/** The users of the files that exist and have a password there, with the mechanisms that they have and keep. */
export function usersWithPasswords(scope: Scope<Wanted>, existing: unknown) {
  const { credentials: given } = existing as ExistingUsers;
  return [...(scope.wanted as ReadonlyMap<string, WantedUser>).values()].flatMap(
    ({ name, password: source, mechanisms }) => {
      const kept = [...(given.get(name)?.keys() ?? [])].filter(
        (one) => mechanisms?.includes(one as ScramMechanism) !== false,
      );
      return source === undefined || kept.length === 0 ? [] : [{ name, source, mechanisms: kept }];
    },
  );
}

async function listedUsers(context: Context) {
  try {
    return await (await context.kafka()).listUsers('all');
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNSUPPORTED_VERSION') throw error;
    const why = 'these brokers cannot list SCRAM users over Kafka';
    throw rephrased(error, why, { hints: [] });
  }
}

function compareUser(user: WantedUser, existing: ExistingUsers, { rotate, passwords }: PlanOptions): Change[] {
  const { name, password: source } = user;
  const credentials = existing.credentials.get(name);
  if (user.absent === true) return credentials === undefined ? [] : [deletion(name, credentials, user.because ?? null)];
  const given = credentials ?? new Map<string, number>();
  const isRotated = rotate.includes(name);
  const { set, ended } = credentialDifferences(user, given, isRotated);
  const changes = [...set, ...ended];
  const unread = passwords?.unread.get(name);
  if (unread !== undefined) {
    const why = `its password could not be tried: ${unread.message}`;
    return [{ kind: 'user', name, action: 'blocked', changes, risk: 'none', why, error: unread, isUnread: true }];
  }
  if (changes.length === 0) return [];
  const risk = ended.length > 0 || isRotated ? 'access' : 'none';
  const why = passwordText(set.length > 0 ? source : undefined, passwords?.drifted.includes(name) === true);
  const row = { kind: 'user', name, changes, risk, why } as const;
  if (existing.isRedpanda && user.mechanisms !== undefined && user.mechanisms.length > 1)
    return [refused({ ...row, action: 'blocked', why: 'a user of Redpanda has one mechanism' })];
  if (set.length > 0 && source === undefined)
    return [refused({ ...row, action: 'blocked', why: 'the file does not say where its password is (password)' })];
  return [{ ...row, action: given.size === 0 ? 'create' : 'update' }];
}

/** Why a password is set, and from where; null if neither is known. */
function passwordText(source: WantedUser['password'], isDrifted: boolean): string | null {
  const texts = [
    ...(isDrifted ? ['it has another password'] : []),
    ...(source === undefined ? [] : [`password from ${sourceText(source)}`]),
  ];
  return texts.length === 0 ? null : texts.join('; ');
}

/** What apply needs for a password. A command may have a secret in it. */
function sourceText({ env, file, keychain }: RowOf<typeof sourceFields>): string {
  if (env !== undefined) return `the variable ${env}`;
  if (file !== undefined) return `the file ${file}`;
  return keychain === undefined ? 'a command' : `the keychain entry ${keychain}`;
}

/** The mechanisms whose password is set, and those that end. */
function credentialDifferences(
  { mechanisms, iterations }: WantedUser,
  given: ReadonlyMap<string, number>,
  isRotated: boolean,
): { readonly set: readonly Difference[]; readonly ended: readonly Difference[] } {
  const wanted: readonly string[] = mechanisms ?? (given.size > 0 ? [...given.keys()] : ['SCRAM-SHA-256']);
  const set = wanted.flatMap((one) => {
    const now = given.get(one) ?? null;
    return credentialDifference(one, now, { next: iterations ?? now ?? defaultIterations, isRotated });
  });
  const ended = [...given]
    .filter(([one]) => !wanted.includes(one))
    .map(([path, now]) => ({ path, from: hashed(now), to: null }));
  return { set, ended };
}

/** The difference of one mechanism; none if it is as the file says and its password stays. */
function credentialDifference(
  path: string,
  now: number | null,
  { next, isRotated }: { readonly next: number; readonly isRotated: boolean },
): Difference[] {
  if (now !== next) return [{ path, from: now === null ? null : hashed(now), to: hashed(next) }];
  return isRotated ? [{ path, from: hashed(now), to: setAgain }] : [];
}

/** What a password becomes that is set as it was. */
const setAgain = 'password set again';

function hashed(iterations: number): string {
  return `${iterations} iterations`;
}

function iterationsAfter({ from, to }: Difference): number {
  return Number.parseInt((to === setAgain ? from : to) ?? '', 10);
}

function deletion(name: string, credentials: ReadonlyMap<string, number>, because: string | null): Change {
  const changes = [...credentials].map(([path, now]) => ({ path, from: hashed(now), to: null }));
  return { kind: 'user', name, action: 'delete', changes, risk: 'access', why: because };
}

/** The most credentials in one step: Ctrl-C does not wait for more. */
const mostUsers = 1000;

/** The passwords that were read before the first change. */
const readBefore = new WeakMap<WantedUser, string>();

/** Reads the passwords that changes set, so that nothing is changed if one is not there. */
async function readPasswords(context: Context, { changes, scope }: Round<WantedUser, ExistingUsers>): Promise<void> {
  const errors: CliError[] = [];
  for (const { name, changes: differences } of changes) {
    const wanted = scope.wanted.get(name);
    if (wanted?.password === undefined || differences.every(({ to }) => to === null)) continue;
    const given = await passwordOf(context, name, wanted.password);
    if (typeof given === 'string') readBefore.set(wanted, given);
    else errors.push(new CliError(exitCodes.usage, given.message, { code: given.code, hintsSuffice: true }));
  }
  if (errors.length > 0) throw joinErrors(errors);
}

/** Sets the passwords of the mechanisms that get one. */
async function setCredentials(
  context: Context,
  { changes, scope }: Round<WantedUser, ExistingUsers>,
  { send, fail }: Sending,
): Promise<void> {
  const credentials: NewCredential[] = [];
  for (const { name: user, changes: differences } of changes) {
    const set = differences.filter(({ to }) => to !== null);
    const wanted = scope.wanted.get(user);
    if (set.length === 0 || wanted?.password === undefined) continue;
    const given = readBefore.get(wanted) ?? (await passwordOf(context, user, wanted.password));
    if (typeof given === 'string')
      for (const difference of set) {
        const mechanism = difference.path as ScramMechanism;
        credentials.push({ user, password: given, mechanism, iterations: iterationsAfter(difference) });
      }
    else fail(user, given);
  }
  const kafka = await context.kafka();
  for (const part of inParts(credentials, mostUsers)) await send(part, ({ user }) => user, kafka.setCredentials);
}

/** Reads a password from where the file says, or says why it is not there. */
export async function passwordOf(
  context: Context,
  user: string,
  source: RowOf<typeof sourceFields>,
): Promise<string | ItemError> {
  try {
    return await readPassword(context, user, source);
  } catch (error) {
    context.signal.throwIfAborted();
    // The file is wrong, or where it is used: not a right that the cluster refuses.
    if (error instanceof CliError) return itemErrorOf(rephrased(error, error.message, { exitCode: exitCodes.usage }));
    throw error;
  }
}

async function readPassword(context: Context, user: string, source: RowOf<typeof sourceFields>): Promise<string> {
  const what = `the password of user "${user}"`;
  const secrets = await context.secrets();
  const { env, file, command, keychain } = source;
  if (env !== undefined) return await secrets.from(what, { way: 'env', text: env });
  if (file !== undefined) return await secrets.from(what, { way: 'file', text: file });
  if (command !== undefined) return await secrets.from(what, { way: 'command', text: command });
  return await secrets.from(what, { way: 'keychain', text: keychain ?? '' });
}

/** Deletes the credentials that changes end, with one request for each mechanism. */
async function deleteCredentials(
  context: Context,
  { changes, existing: { isRedpanda } }: Round<WantedUser, ExistingUsers>,
  { send }: Sending,
): Promise<void> {
  const plan = changes.flatMap(({ name: user, changes: differences }) => {
    if (isRedpanda && differences.some(({ to }) => to !== null)) return []; // the new one has taken its place
    const mechanisms = differences.filter(({ to }) => to === null).map(({ path }) => path as ScramMechanism);
    return mechanisms.length === 0 ? [] : [{ user, mechanisms, error: null }];
  });
  const kafka = await context.kafka();
  for (const part of inParts(plan, mostUsers)) await send(part, ({ user }) => user, errorsOf(kafka.deleteUsers));
}

/** The variables of passwords, by user: each has its own, with a name that shells can set. */
export function variablesOf(names: readonly string[]): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    const word = name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      // Those that begin with WEIR_ are options.
      .replace(/^(?=[0-9]|WEIR(?:_|$))|^_?$/, 'USER_');
    const stem = `${word}_PASSWORD`.replace(/_+PASSWORD$/, '_PASSWORD');
    let variable = stem;
    for (let number = 2; taken.has(variable); number += 1) variable = `${stem}_${number}`;
    taken.add(variable);
    variables.set(name, variable);
  }
  return variables;
}

/** A user, with the variable that has the password, to fill in. */
function exportedUser(credentials: ReadonlyMap<string, number>, variable: string) {
  const iterations = [...new Set(credentials.values())];
  const [only] = iterations;
  const isOther = iterations.length === 1 && only !== defaultIterations;
  return {
    mechanisms: [...credentials.keys()],
    ...(isOther && { iterations: only }),
    password: { env: variable },
  };
}
