import type { Context } from '../../../context.ts';
import {
  CliError,
  exitCodes,
  type ItemError,
  invalidError,
  itemErrorOf,
  rephrased,
  stoppedError,
  usageError,
  withHints,
} from '../../../errors.ts';
import type { ScramMechanism } from '../../../kafka/cluster/access/scram-words.ts';
import type { ListedUser } from '../../../kafka/cluster/access/user-rows.ts';
import { defaultIterations } from './user-kinds.ts';

/** Lists all users of the Admin API, or the named ones. */
export async function listAdminUsers(context: Context, names: readonly string[] | 'all'): Promise<ListedUser[]> {
  const users = await storedUsers(context);
  const wanted = names === 'all' ? [...users.keys()] : [...new Set(names)].sort();
  return wanted.map((user) => {
    return { user, credentials: users.get(user) ?? null, error: users.has(user) ? null : unknownUser };
  });
}

/** The users with their credentials; null for those of a release before 26.1, which only tells their names. */
async function storedUsers(context: Context): Promise<ReadonlyMap<string, ListedUser['credentials']>> {
  const admin = await context.admin();
  try {
    const all = await admin.scramCredentials();
    return new Map(
      all.map(({ name, mechanism, password_set_at }) => {
        return [name, [{ mechanism: mechanism?.replaceAll('_', '-') ?? 'unknown', iterations: null, password_set_at }]];
      }),
    );
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'UNSUPPORTED_VERSION') throw error;
    return new Map((await admin.users()).map((name) => [name, null]));
  }
}

/** The failure for a user that does not exist; the server itself says so for no call. */
const unknownUser: ItemError = {
  code: 'RESOURCE_NOT_FOUND',
  number: null,
  message: 'the user does not exist',
  retryable: false,
  exit_code: exitCodes.notFound,
};

/** For each user, why it cannot be changed; null for one that exists. */
export async function adminUserErrors(context: Context, users: readonly string[]): Promise<readonly UserOutcome[]> {
  const existing = new Set(await (await context.admin()).users('leader'));
  return users.map((user) => ({ user, error: existing.has(user) ? null : unknownUser }));
}

interface UserOutcome {
  readonly user: string;
  readonly error: ItemError | null;
}

/** Returns why a user cannot be updated; null for one that exists. */
export async function adminUserError(context: Context, user: string): Promise<ItemError | null> {
  const [outcome] = await adminUserErrors(context, [user]);
  return outcome?.error ?? null;
}

/** What the flags of `create` and `update` ask for. */
interface AskedCredentials {
  readonly mechanism: readonly ScramMechanism[];
  readonly iterations: number;
}

/**
 * Returns the mechanism for the one credential that a user of the Admin API has; undefined if none is given.
 * @throws CliError (exit 2) for what the Admin API cannot do
 */
export function onlyMechanism({ mechanism, iterations }: AskedCredentials): ScramMechanism | undefined {
  const [first, ...others] = new Set(mechanism);
  if (others.length > 0) throw tooManyMechanisms();
  if (iterations !== defaultIterations)
    throw impossible('--iterations', 'the Admin API does not set iterations', 'leave it out, or use --api kafka');
  return first;
}

/** Refuses several mechanisms for Redpanda, where each credential of a user replaces the one before. @throws CliError (exit 2) */
export async function checkMechanisms(context: Context, mechanisms: readonly ScramMechanism[]): Promise<void> {
  if (new Set(mechanisms).size > 1 && (await (await context.kafka()).isRedpanda()) === true) throw tooManyMechanisms();
}

function tooManyMechanisms(): CliError {
  return impossible('--mechanism', 'a user of Redpanda has one mechanism', 'give one');
}

function impossible(target: string, reason: string, hint: string): CliError {
  return invalidError(`invalid ${target}: ${reason}`, { target, hints: [hint] });
}

/** Refuses the deletion of single mechanisms. @throws CliError (exit 2) */
export function checkWholeUsers(mechanisms: readonly ScramMechanism[]): void {
  if (mechanisms.length > 0)
    throw impossible('--mechanism', 'the Admin API deletes users as a whole', 'leave it out, or use --api kafka');
}

/** Refuses the name of a user whom the Admin API could not change or delete: it has the name in a path. @throws CliError (exit 2) */
export function checkAdminName(user: string): void {
  if (user === '.' || user === '..')
    throw impossible(`USER "${user}"`, 'the Admin API cannot name such a user again', 'use another name');
}

/** Checks a password by the rules of the Admin API, which it does not explain. @throws CliError (exit 2) */
export function checkAdminPassword(password: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what the API refuses
  if (/[\u0000-\u001f\u007f]/.test(password))
    throw usageError('the password has a control character, such as a tab, which the Admin API does not accept');
}

/** Deletes users one by one; one that fails leaves the others alone. */
export async function deleteAdminUsers(context: Context, users: readonly string[]): Promise<readonly UserOutcome[]> {
  const outcomes: UserOutcome[] = [];
  for (const user of users) outcomes.push({ user, error: await deletionError(context, user, outcomes) });
  return outcomes;
}

/** The failure of a user whose deletion was not sent, because the one before had no answer. */
const notTried: ItemError = {
  code: 'NOT_TRIED',
  number: null,
  message: 'not tried, because the Admin API stopped answering',
  retryable: true,
  exit_code: exitCodes.unreachable,
};

/** Returns why a user was not deleted; null if it was. @throws what ended the command, with the users deleted before */
async function deletionError(
  context: Context,
  user: string,
  before: readonly UserOutcome[],
): Promise<ItemError | null> {
  if (before.some(({ error }) => error?.exit_code === exitCodes.unreachable)) return notTried;
  const deleted = before.filter(({ error }) => error === null).map((one) => one.user);
  const done = deleted.length === 0 ? [] : [`already deleted: ${deleted.join(', ')}`];
  context.onInterrupt(stopped(user, done));
  try {
    await (await context.admin()).deleteUser(user);
    return null;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (context.signal.aborted) throw withHints(error, done);
    // The table has no place for hints; that the user may be deleted must be said.
    return itemErrorOf(error.exitCode === exitCodes.unreachable ? withReasons(error) : error);
  }
}

function withReasons(error: CliError): CliError {
  return rephrased(error, [error.message, ...error.hints].join('; '));
}

function stopped(user: string, done: readonly string[]): CliError {
  const message = `stopped while deleting user "${user}": the request may or may not have arrived`;
  return stoppedError(message, [...done, 'check with: weir security user list'], user);
}
