import { CliError, exitCodes } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { answered, itemErrorOf, questionOf } from '../../protocol/client/question.ts';
import { compileNamePatterns } from '../../protocol/partitions/name-words.ts';
import { listGroups as listGroupsApi } from '../../protocol/wire/apis/list-groups.ts';
import type { ListedGroup, ListGroupsCall } from './group-rows.ts';

/**
 * Lists the groups with one request to every broker, sorted by name.
 * @throws CliError when no broker answers, or when one cannot filter as asked
 */
export async function listGroups(client: Client, call: ListGroupsCall): Promise<ListedGroup[]> {
  const { brokers } = await client.metadata([]);
  const outcomes = answered(
    await client.ask(
      listing(call),
      brokers.map(({ id }) => id),
    ),
  );
  const rows = outcomes.flatMap((outcome): ListedGroup[] => {
    const { item: broker, row } = outcome;
    const error = itemErrorOf(outcome);
    if (error !== null) return [{ broker, group: null, state: null, type: null, protocol_type: null, error }];
    return (row?.groups ?? []).map(({ groupId: group, groupState, groupType, protocolType }) => {
      // Old brokers report neither.
      const [state, type] = [groupState || null, groupType || null];
      if (state === null && call.states.length > 0) throw cannotFilter(broker, 'state');
      if (type === null && call.types.length > 0) throw cannotFilter(broker, 'type');
      return { broker, group, state, type: type?.toLowerCase() ?? null, protocol_type: protocolType, error };
    });
  });
  return rows.sort(byName);
}

/** Finds the groups whose whole name matches one of the patterns. @throws CliError when a broker cannot be asked */
export async function matchingGroups(client: Client, patterns: readonly string[]): Promise<readonly string[]> {
  const matches = compileNamePatterns(patterns);
  const rows = await listGroups(client, { states: [], types: [] });
  const failed = rows.find(({ error }) => error !== null);
  if (failed?.error) {
    const { code, message, retryable, exit_code: exitCode } = failed.error;
    throw new CliError(exitCode, `unable to list the groups of broker ${failed.broker}: ${message}`, {
      code,
      retryable,
    });
  }
  return [...new Set(rows.flatMap(({ group }) => (group !== null && matches(group) ? [group] : [])))];
}

function listing({ states, types }: ListGroupsCall) {
  return questionOf({
    api: listGroupsApi,
    what: (broker: number) => `list the groups of broker ${broker}`,
    target: (node: number) => ({ node }),
    // Each broker is asked about itself only.
    keyOf: () => '',
    request: () => ({ statesFilter: states, typesFilter: types }),
    rows: (response) => [['', response] as const],
  });
}

function cannotFilter(broker: number, by: 'state' | 'type'): Error {
  return new CliError(exitCodes.failure, `unable to select groups by ${by}: broker ${broker} does not report it`, {
    code: 'UNSUPPORTED_VERSION',
    hints: [`list the groups without --${by}s`],
  });
}

function byName(a: ListedGroup, b: ListedGroup): number {
  const [one, other] = [a.group ?? '', b.group ?? ''];
  if (one === other) return a.broker - b.broker;
  return one < other ? -1 : 1;
}
