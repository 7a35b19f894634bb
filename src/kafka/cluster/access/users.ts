import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { CliError, type ItemError, withHints } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, type CodedRow, itemErrorOf, type Outcome, questionOf } from '../../protocol/client/question.ts';
import { untilVisible } from '../../protocol/client/visibility.ts';
import { kafkaError, kafkaErrorText, kafkaItemError } from '../../protocol/errors.ts';
import type { RequestOf, ResponseOf } from '../../protocol/wire/api.ts';
import { alterUserScramCredentials } from '../../protocol/wire/apis/alter-user-scram-credentials.ts';
import { describeUserScramCredentials } from '../../protocol/wire/apis/describe-user-scram-credentials.ts';
import { codes } from '../../protocol/wire/error-codes.ts';
import { type ScramMechanism, scramMechanismCode, scramMechanismOf, scramMechanisms } from './scram-words.ts';
import type { Credential, KafkaUser, NewCredential, SetPasswordCall, UserDeletion } from './user-rows.ts';

type DescribedUsers = ResponseOf<typeof describeUserScramCredentials>;
type ScramUpsertion = RequestOf<typeof alterUserScramCredentials>['upsertions'][number];

/** A credential to delete. */
interface ScramDeletion {
  readonly user: string;
  readonly mechanism: ScramMechanism;
}

/** Lists all users with SCRAM credentials, or the named ones, with one request; sorted. */
export async function listUsers(client: Client, names: readonly string[] | 'all'): Promise<KafkaUser[]> {
  const rows = names === 'all' ? await listAll(client) : await listNamed(client, names);
  return rows.sort((a, b) => (a.user < b.user ? -1 : 1));
}

async function listAll(client: Client): Promise<KafkaUser[]> {
  // Some brokers take an empty list literally; the others have no users, and by now the principal is known to be allowed.
  const named = await describeUsers(client, []);
  const users = named.length > 0 ? named : await describeUsers(client, undefined);
  return users.map((row) => ({
    user: row.user,
    credentials: credentialRows(row.credentialInfos),
    error: kafkaItemError(row.errorCode, row.errorMessage),
  }));
}

async function describeUsers(client: Client, names: readonly string[] | undefined): Promise<DescribedUsers['results']> {
  const request = { users: names?.map((name) => ({ name })) };
  const { errorCode, errorMessage, results } = await client.request(describeUserScramCredentials, request);
  if (errorCode !== 0) throw kafkaError(errorCode, `unable to list users: ${kafkaErrorText(errorCode, errorMessage)}`);
  return results;
}

function credentialRows(credentials: DescribedUsers['results'][number]['credentialInfos']): Credential[] {
  return credentials
    .map(({ mechanism, iterations }) => ({ mechanism: scramMechanismOf(mechanism), iterations, password_set_at: null }))
    .sort((a, b) => (a.mechanism < b.mechanism ? -1 : 1));
}

async function listNamed(client: Client, names: readonly string[]): Promise<KafkaUser[]> {
  const outcomes = answered(await client.ask(description, [...new Set(names)]));
  return outcomes.map((outcome) => ({
    user: outcome.item,
    credentials: credentialRows(outcome.row?.credentialInfos ?? []),
    error: itemErrorOf(outcome),
  }));
}

const description = questionOf({
  api: describeUserScramCredentials,
  what: (user: string) => `describe user "${user}"`,
  keyOf: (user) => user,
  request: (items) => ({ users: items.map((name) => ({ name })) }),
  rows: ({ results }) => results.map((row) => [row.user, row] as const),
});

// Setting the same credential twice is harmless.
const upsertion = questionOf({
  api: { ...alterUserScramCredentials, repeatable: true },
  what: ({ name, mechanism }: ScramUpsertion) => `set the ${scramMechanismOf(mechanism)} password of user "${name}"`,
  keyOf: ({ name }) => name,
  request: (items) => ({ deletions: [], upsertions: items }),
  rows: ({ results }) => results.map((row) => [row.user, row] as const),
});

/**
 * Creates or replaces credentials of a user. Kafka accepts one change of a user in a request, so there is one request
 * for each mechanism.
 * @throws CliError when the broker refuses; its hint says what was set before
 */
export async function setPassword(client: Client, call: SetPasswordCall): Promise<void> {
  const { user, password, iterations } = call;
  const done: string[] = [];
  for (const mechanism of call.mechanisms) {
    const item = await upsertionOf({ user, password, mechanism, iterations });
    const [outcome] = await client.ask(upsertion, [item]).catch((error: unknown) => {
      throw withDone(error, done, call);
    });
    if (outcome?.error !== undefined) throw withDone(outcome.error, done, call);
    done.push(mechanism);
  }
  await untilVisible(client, async () => {
    const [row] = await listNamed(client, [user]);
    const existing = new Set(row?.credentials.map(({ mechanism }) => mechanism));
    return done.every((mechanism) => existing.has(mechanism));
  });
}

async function upsertionOf({ user, password, mechanism, iterations }: NewCredential): Promise<ScramUpsertion> {
  const salt = newSalt();
  const salted = await saltedPassword(mechanism, password, { salt, iterations });
  return { name: user, mechanism: scramMechanismCode(mechanism), iterations, salt, saltedPassword: salted };
}

/**
 * Creates or replaces credentials of many users, with one request for each mechanism: Kafka accepts one change of a user
 * in a request. Returns the error of each.
 */
export async function setCredentials(
  client: Client,
  credentials: readonly NewCredential[],
): Promise<readonly (ItemError | null)[]> {
  const errors = new Map<NewCredential, ItemError | null>();
  for (const mechanism of scramMechanisms) {
    const due = credentials.filter((one) => one.mechanism === mechanism);
    const outcomes = answered(await client.ask(upsertion, await Promise.all(due.map(upsertionOf))));
    for (const [at, outcome] of outcomes.entries()) {
      const one = due[at];
      if (one !== undefined) errors.set(one, itemErrorOf(outcome));
    }
  }
  const done = credentials.filter((one) => errors.get(one) === null);
  await untilVisible(client, async () => {
    const names = [...new Set(done.map(({ user }) => user))];
    const users = names.length === 0 ? [] : await listNamed(client, names);
    const byUser = new Map(users.map(({ user, credentials: given }) => [user, given]));
    return done.every(({ user, mechanism }) => byUser.get(user)?.some((one) => one.mechanism === mechanism));
  });
  return credentials.map((one) => errors.get(one) ?? null);
}

/** Adds what was set before, and the password if nobody else knows it. */
function withDone(error: unknown, done: readonly string[], { password, isGenerated }: SetPasswordCall): unknown {
  if (!(error instanceof CliError) || done.length === 0) return error;
  const secret = isGenerated === true ? [`generated password: ${password}`] : [];
  return withHints(error, [`already set: ${done.join(', ')}`, ...secret]);
}

const deletion = questionOf({
  api: alterUserScramCredentials,
  what: ({ user, mechanism }: ScramDeletion) => `delete the ${mechanism} credential of user "${user}"`,
  keyOf: ({ user }) => user,
  request: (items) => ({
    deletions: items.map(({ user, mechanism }) => ({ name: user, mechanism: scramMechanismCode(mechanism) })),
    upsertions: [],
  }),
  rows: ({ results }) => results.map((row) => [row.user, row] as const),
});

/** The credentials of users with one of the mechanisms (none: all of them), which `deleteUsers` would delete; sorted by user. */
export async function planUserDeletion(
  client: Client,
  users: readonly string[],
  mechanisms: readonly ScramMechanism[],
): Promise<UserDeletion[]> {
  const chosen = mechanisms.length === 0 ? scramMechanisms : mechanisms;
  return (await listUsers(client, users)).map(({ user, credentials, error }) => {
    const existing = chosen.filter((mechanism) => credentials.some((one) => one.mechanism === mechanism));
    const missing = kafkaItemError(codes.RESOURCE_NOT_FOUND, `the user has no ${chosen.join(' or ')} credential`);
    return { user, mechanisms: existing, error: error ?? (existing.length === 0 ? missing : null) };
  });
}

/**
 * Deletes the credentials of a plan, with one request for each mechanism. Returns the plan with the mechanisms that were
 * deleted, and why others were not.
 */
export async function deleteUsers(client: Client, plan: readonly UserDeletion[]): Promise<UserDeletion[]> {
  const errors = new Map<string, ItemError>();
  const deleted: ScramDeletion[] = [];
  for (const mechanism of scramMechanisms) {
    const present = plan.filter((row) => row.error === null && row.mechanisms.includes(mechanism));
    const items = present.map(({ user }) => ({ user, mechanism }));
    const outcomes = await client.ask(deletion, items).catch((error: unknown) => unanswered(items, error));
    for (const outcome of deleted.length === 0 ? answered(outcomes) : outcomes) {
      const error = itemErrorOf(outcome);
      if (error === null) deleted.push(outcome.item);
      else errors.set(outcome.item.user, error);
    }
  }
  await untilDeleted(client, deleted);
  return plan.map((row) => ({
    ...row,
    mechanisms: row.mechanisms.filter((mechanism) => wasDeleted(deleted, row.user, mechanism)),
    error: row.error ?? errors.get(row.user) ?? null,
  }));
}

/** The outcomes if no broker has answered. */
function unanswered(items: readonly ScramDeletion[], error: unknown): readonly Outcome<ScramDeletion, CodedRow>[] {
  if (!(error instanceof CliError)) throw error;
  return items.map((item) => ({ item, row: undefined, error }));
}

function wasDeleted(deleted: readonly ScramDeletion[], user: string, mechanism: string): boolean {
  return deleted.some((one) => one.user === user && one.mechanism === mechanism);
}

async function untilDeleted(client: Client, deleted: readonly ScramDeletion[]): Promise<void> {
  if (deleted.length === 0) return;
  const names = deleted.map(({ user }) => user);
  await untilVisible(client, async () => {
    const left = new Map((await listNamed(client, names)).map(({ user, credentials }) => [user, credentials]));
    return deleted.every(({ user, mechanism }) => left.get(user)?.every((one) => one.mechanism !== mechanism));
  });
}

const digests = {
  'SCRAM-SHA-256': { name: 'sha256', bytes: 32 },
  'SCRAM-SHA-512': { name: 'sha512', bytes: 64 },
} as const satisfies Record<ScramMechanism, unknown>;

/**
 * Salts a password as SCRAM does: the function Hi of RFC 5802, which is PBKDF2. Like Kafka, it takes the UTF-8 bytes
 * of the password as they are, without SASLprep.
 */
export async function saltedPassword(
  mechanism: ScramMechanism,
  password: string,
  { salt, iterations }: { readonly salt: Uint8Array; readonly iterations: number },
): Promise<Buffer> {
  const { name, bytes } = digests[mechanism];
  return await promisify(pbkdf2)(Buffer.from(password, 'utf8'), salt, iterations, bytes, name);
}

/** Makes a random salt. */
export function newSalt(): Buffer {
  return randomBytes(32);
}
