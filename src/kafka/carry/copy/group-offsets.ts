import { CliError, exitCodes, type ItemError, itemErrorOf, notFoundError } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import { type GroupOffset, readCommits } from '../../cluster/groups/group-offsets.ts';
import { findGroups, hasMembers } from '../../cluster/groups/group-states.ts';
import { matchingGroups } from '../../cluster/groups/listing.ts';
import type { Client } from '../../protocol/client/client.ts';
import { itemErrorOf as outcomeError } from '../../protocol/client/question.ts';
import { offsetTimes } from '../../protocol/wire/apis/list-offsets.ts';
import { outsider } from '../../streams/groups/commits.ts';
import { storeQuestion } from '../stored-offsets.ts';
import type { TranslatedOffset } from './copy-rows.ts';
import { hintAt, placeName } from './errors.ts';
import { offsetsOf, type TranslatedPlace, translate } from './offset-translation.ts';
import type { PlannedPair } from './pair.ts';
import type { CopyRequest } from './request.ts';
import { decodeProgress } from './stored-progress.ts';

/** The translation of the committed offsets of groups. */
export interface GroupTranslation {
  /** Finds where the groups continue in the destination, as far as they are copied; commits that unless `isDry`. */
  translate(isDry: boolean): Promise<readonly TranslatedOffset[]>;
}

/** An offset that a group has committed for a topic that is copied. */
interface Commit {
  readonly group: string;
  readonly pair: PlannedPair;
  readonly partition: number;
  readonly offset: bigint;
  readonly metadata: string;
}

/**
 * Checks the groups. @throws CliError if one has members in the destination, or has committed nothing for any of the
 * topics
 */
export async function planTranslation(
  source: Client,
  request: CopyRequest,
  pairs: readonly PlannedPair[],
): Promise<GroupTranslation> {
  const { groups } = request;
  const commits = await readAll(source, request, pairs);
  const names = [...new Set(commits.map(({ group }) => group))];
  const unknown = groups === 'all' ? undefined : groups.find((group) => !names.includes(group));
  if (unknown !== undefined) {
    const topics = pairs.map((pair) => `"${placeName(pair.source.name, request.profile)}"`).join(', ');
    throw notFoundError(`group "${unknown}" has committed no offsets of ${topics}`, {
      target: unknown,
      hints: [hintAt(request.profile, commandText`see what it has committed with: weir group describe ${unknown}`)],
    });
  }
  await refuseMembers(request.target.client, names);
  if (request.target.client !== source) await warnOfMembers(source, request, names);
  return { translate: (isDry) => translateAll(source, { request, pairs, names }, isDry) };
}

/** Reads what groups have committed for the partitions that are copied, but not what copies have stored about themselves. */
async function readAll(
  source: Client,
  { groups, partitions }: CopyRequest,
  pairs: readonly PlannedPair[],
): Promise<readonly Commit[]> {
  const names = groups === 'all' ? await matchingGroups(source, ['.*']) : groups;
  const byGroup = await readCommits(source, names);
  const isCopied = (partition: number): boolean => partitions.length === 0 || partitions.includes(partition);
  return names.flatMap((group) => {
    const { offsets = [], error = null } = byGroup.get(group) ?? {};
    // Among all groups, there may be some that have no offsets at all.
    if (error !== null && groups !== 'all') throw cannotRead(group, error);
    return offsets.flatMap((one) => {
      const pair = pairs.find((candidate) => candidate.source.name === one.topic);
      if (pair === undefined || one.offset < 0n || !isCopied(one.partition) || isProgress(one)) return [];
      return [{ group, pair, partition: one.partition, offset: one.offset, metadata: one.metadata }];
    });
  });
}

function isProgress(one: GroupOffset): boolean {
  return decodeProgress(one) !== undefined;
}

function cannotRead(group: string, { message, code, exit_code: exitCode, retryable }: ItemError): CliError {
  return new CliError(exitCode, `unable to read the committed offsets of group "${group}": ${message}`, {
    code,
    target: group,
    retryable,
  });
}

/** The coordinator refuses commits from outside while a group has members. */
async function refuseMembers(client: Client, names: readonly string[]): Promise<void> {
  const active = (await findGroups(client, names)).filter(hasMembers);
  const [first] = active;
  if (first === undefined) return;
  const listed = active.map(({ group, members }) => `"${group}" (${count(members.length, 'member')})`).join(', ');
  throw new CliError(
    exitCodes.conflict,
    `unable to translate offsets: groups have members in the destination: ${listed}`,
    {
      code: 'NON_EMPTY_GROUP',
      target: first.group,
      hints: ['stop them first: a group continues from the translated offsets when it is started'],
    },
  );
}

async function warnOfMembers(source: Client, { warn }: CopyRequest, names: readonly string[]): Promise<void> {
  for (const group of await findGroups(source, names)) {
    if (!hasMembers(group)) continue;
    warn(
      `group "${group.group}" still reads the source: what it reads after the copy ends is read again in the destination`,
    );
  }
}

interface Planned {
  readonly request: CopyRequest;
  readonly pairs: readonly PlannedPair[];
  readonly names: readonly string[];
}

async function translateAll(
  source: Client,
  { request, pairs, names }: Planned,
  isDry: boolean,
): Promise<readonly TranslatedOffset[]> {
  const { client } = request.target;
  // Groups may have gone on during the copy.
  const commits = await readAll(source, { ...request, groups: names }, pairs);
  const prior = await readCommits(client, names);
  const rows: TranslatedOffset[] = [];
  for (const pair of pairs) {
    const pairCommits = commits.filter((commit) => commit.pair === pair);
    const copied = pairCommits.filter(({ partition, offset }) => offset <= (pair.copied.get(partition)?.offset ?? -1n));
    const translated = await translate(
      {
        source: { client: source, topic: pair.source.name },
        target: { client, topic: pair.target.name },
        ends: new Map([...pair.copied].map(([partition, { offset }]) => [partition, offset])),
        fetchMaxWaitMs: request.fetchMaxWaitMs,
        warn: request.warn,
        notice: request.notice,
      },
      copied,
    );
    const priorOf = ({ group, partition }: Commit): bigint | null =>
      prior
        .get(group)
        ?.offsets.find((one) => one.topic === pair.target.name && one.partition === partition && one.offset >= 0n)
        ?.offset ?? null;
    const ahead = pairCommits.filter((commit) => !translated.has(commit));
    // Also before records of open transactions.
    const ends = await offsetsOf(
      { client: source, topic: pair.source.name },
      [...new Set(ahead.map(({ partition }) => partition))],
      { time: offsetTimes.latest, isolation: 'uncommitted' },
    );
    for (const commit of pairCommits) {
      const translation = translated.get(commit) ?? outcomeAhead(commit, ends.get(commit.partition), isDry);
      rows.push(rowOf(commit, priorOf(commit), resultOf(commit, translation)));
    }
    warnOfOpen(request, pair, [...translated]);
    warnOfBeyond(
      request,
      ahead.filter(({ partition, offset }) => offset > (ends.get(partition) ?? offset)),
    );
    if (!isDry) await commitAll(client, pairCommits, rows);
  }
  return rows.sort(byPlace);
}

/** What to say about an offset that the copy has not reached; null if the copy may still reach it. */
function outcomeAhead({ group, pair, partition, offset }: Commit, end = offset, isDry: boolean): CliError | null {
  if (offset > end) {
    const message = `offset ${offset} is beyond the end of the source, which is ${end}`;
    return new CliError(exitCodes.conflict, message, { code: 'BEYOND_END', target: group });
  }
  if (isDry) return null;
  const reached = pair.copied.get(partition)?.offset;
  const message =
    reached === undefined ? 'the partition is not copied' : `the topic is copied only up to offset ${reached}`;
  return new CliError(exitCodes.conflict, message, { code: 'NOT_COPIED', target: group });
}

/** A member would begin there by its `auto.offset.reset`, which only its owner knows. */
function warnOfBeyond({ warn, profile }: CopyRequest, beyond: readonly Commit[]): void {
  for (const [group, [first]] of Map.groupBy(beyond, (commit) => commit.group)) {
    const topic = first?.pair.source.name ?? '';
    const seek = hintAt(profile, commandText`weir group seek ${group} --topics ${topic} --to end`);
    warn(
      `group "${group}" has committed offsets beyond the end of topic "${placeName(topic, profile)}", as if it was cut or ` +
        `created again: choose where it continues, for example with ${seek}, and repeat the command`,
    );
  }
}

/** The row of an offset with its place in the destination, or what stands against it. */
function rowOf(
  { group, pair, partition, offset }: Commit,
  prior: bigint | null,
  translated: bigint | CliError | null,
): TranslatedOffset {
  const place = { group, topic: pair.source.name, destination: pair.target.name, partition, source_offset: offset };
  if (typeof translated !== 'bigint') {
    return { ...place, prior_offset: prior, offset: prior, error: translated && itemErrorOf(translated) };
  }
  // A group that has gone on in the destination is not sent back.
  return {
    ...place,
    prior_offset: prior,
    offset: prior !== null && prior > translated ? prior : translated,
    error: null,
  };
}

function resultOf({ group, offset }: Commit, translated: TranslatedPlace | CliError | null): bigint | CliError | null {
  if (translated === null || typeof translated === 'bigint' || translated instanceof CliError) return translated;
  if (translated === 'missing') {
    const message = `none of the records from offset ${offset} on is in the destination, which has others that are as late`;
    return new CliError(exitCodes.conflict, message, { code: 'NOT_FOUND_IN_DESTINATION', target: group });
  }
  const message = `another producer's transaction is open in the destination from offset ${translated.openFrom} on`;
  return new CliError(exitCodes.conflict, message, { code: 'OPEN_TRANSACTION', target: group });
}

/** Says how to find the transactions for which nothing was translated. */
function warnOfOpen(
  { warn, target: { profile } }: CopyRequest,
  { target: { name } }: PlannedPair,
  translated: readonly (readonly [Pick<Commit, 'partition'>, TranslatedPlace])[],
): void {
  const open = new Set(
    translated.flatMap(([{ partition }, translation]) => (typeof translation === 'object' ? [partition] : [])),
  );
  if (open.size === 0) return;
  const partitions = [...open].sort((a, b) => a - b).join(',');
  const line = hintAt(profile, commandText`weir cluster txn describe-producers -t ${name} -p ${partitions}`);
  warn(
    `another producer has a transaction open in topic "${placeName(name, profile)}", which hides the records after it: ` +
      `repeat the command when it has ended; see whose it is with ${line}`,
  );
}

/** Commits the offsets of rows; those that are refused get an error. */
async function commitAll(client: Client, commits: readonly Commit[], rows: TranslatedOffset[]): Promise<void> {
  for (const [group, groupCommits] of Map.groupBy(commits, (commit) => commit.group)) {
    const items = groupCommits.flatMap(({ pair, partition, metadata }) => {
      const row = rows.find((one) => isOf(one, group, pair.target.name, partition));
      if (row === undefined || row.error !== null || row.offset === null || row.offset === row.prior_offset) return [];
      return [{ topic: pair.target.name, partition, offset: row.offset, metadata }];
    });
    if (items.length === 0) continue;
    for (const outcome of await client.ask(storeQuestion(outsider(group), 'offset'), items)) {
      const error = outcomeError(outcome);
      const at = rows.findIndex((one) => isOf(one, group, outcome.item.topic, outcome.item.partition));
      const row = rows[at];
      if (error !== null && row !== undefined) rows[at] = { ...row, offset: row.prior_offset, error };
    }
  }
}

function isOf(row: TranslatedOffset, group: string, destination: string, partition: number): boolean {
  return row.group === group && row.destination === destination && row.partition === partition;
}

function byPlace(a: TranslatedOffset, b: TranslatedOffset): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}
