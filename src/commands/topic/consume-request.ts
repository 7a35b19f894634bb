import type { Context } from '../../context.ts';
import { invalidError, usageError } from '../../errors.ts';
import { durationToMs } from '../../format/duration.ts';
import { compileLoosePatterns } from '../../kafka/protocol/partitions/name-words.ts';
import { compileSource, type FormatSource } from '../../kafka/records/language/format-source.ts';
import type { OffsetRange } from '../../kafka/streams/consume/offset-words.ts';
import type { ConsumeRequest } from '../../kafka/streams/consume/request.ts';
import { type Balancer, balancers } from '../../kafka/streams/groups/balancer-words.ts';
import { rangeToRead } from '../times.ts';
import type { ConsumeValues } from './consume-flags.ts';
import { type ConsumeFiltering, consumeFiltering, hasConditions } from './records/conditions.ts';
import { recordContext } from './records/record-context.ts';
import { type ConsumeDecoding, consumeDecoding, decodedFields } from './records/schemas.ts';
import { checkTopicNames } from './topic-name.ts';

/**
 * A member without `--balancer` offers all of them. The group picks one that every member supports, so that weir can
 * join any group.
 */
const allBalancers: readonly Balancer[] = [...balancers].reverse();

/** A request with what it reports at its end. */
export interface CompleteRequest extends Omit<ConsumeRequest, 'onPrinted' | 'decode' | 'filter'> {
  readonly formatSource: FormatSource;
  readonly decode: ConsumeDecoding | undefined;
  readonly filter: ConsumeFiltering | undefined;
}

/** What records are read for: to print them, or to find some of those that are there now. */
type Purpose = 'consume' | 'search';

/** Turns the flags into a request; all errors in them are reported before any connection is made. */
export async function consumeRequest(
  context: Context,
  values: ConsumeValues,
  purpose: Purpose,
): Promise<CompleteRequest> {
  const range = rangeOf(context, values, purpose);
  checkCombinations(values);
  if (!values.regex) checkTopicNames(values.topics);
  const formatSource = recordFormat(context, values, purpose);
  const decode = decodingOf(context, values);
  const filter = await consumeFiltering(context, values, { decode, isEndless: range.end === undefined });
  const format = compileSource(formatSource, decode?.decoding);
  const { fetchMaxWait } = values;
  const waitOption = fetchMaxWait ?? (await context.config()).get('globals.fetch_max_wait');
  const { group } = values;
  return {
    topics: values.topics,
    regex: values.regex,
    partitions: values.partitions,
    range,
    tail: values.tail,
    idleMs: values.idle === undefined ? undefined : durationToMs(values.idle),
    limit: values.num > 0 ? values.num : Number.POSITIVE_INFINITY,
    group: group === undefined ? undefined : membershipRequest(group, values),
    format,
    formatSource,
    decode,
    filter,
    readCommitted: values.readCommitted,
    printControl: values.printControlRecords,
    fetchMaxBytes: values.fetchMaxBytes,
    fetchMaxPartitionBytes: values.fetchMaxPartitionBytes,
    fetchMaxWaitMs: durationToMs(waitOption),
    rack: values.rack,
    warn: (line) => context.warn(line),
  };
}

/** A search ends where the log ends now, unless it is told another end. */
function rangeOf(context: Context, { offset, tail }: ConsumeValues, purpose: Purpose): OffsetRange {
  if (tail !== undefined) return { start: { at: 'start' }, end: { at: 'end' } };
  const range = rangeToRead(context, offset);
  if (purpose === 'consume' || range.end !== undefined) return range;
  if (range.start.at !== 'end') return { ...range, end: { at: 'end' } };
  throw usageError(`--offset ${offset} leaves nothing to search: there are no records after the end yet`, {
    hints: ['to wait for records that match, use: weir topic consume TOPIC -o end --where EXPRESSION'],
  });
}

/** The membership in a group; a `--balancer` that only one protocol has selects that protocol. */
function membershipRequest(
  name: string,
  { balancer, groupProtocol, instanceId }: ConsumeValues,
): ConsumeRequest['group'] {
  const isClassic = balancer !== undefined && balancer !== 'uniform';
  const isServers = balancer === 'uniform' || balancer === 'range';
  if (balancer !== undefined && groupProtocol === 'classic' && !isClassic) {
    throw usageError(`--balancer ${balancer} is an assignor of the consumer protocol`, {
      hints: ['use: --group-protocol consumer'],
    });
  }
  if (balancer !== undefined && groupProtocol === 'consumer' && !isServers) {
    throw usageError(
      `--balancer ${balancer} is an assignor of the classic protocol: the consumer protocol has uniform and range`,
    );
  }
  const onlyProtocol = balancer === undefined || balancer === 'range' ? undefined : isClassic ? 'classic' : 'consumer';
  return {
    name,
    instanceId,
    protocol: groupProtocol ?? onlyProtocol,
    balancers: isClassic ? [balancer] : allBalancers,
    assignor: isServers ? balancer : undefined,
  };
}

function checkCombinations(values: ConsumeValues): void {
  const { group, partitions, regex, instanceId } = values;
  if (group === '') throw usageError('--group is empty');
  if (group !== undefined && partitions.length > 0) {
    throw usageError('--group and --partitions are mutually exclusive: the group assigns the partitions');
  }
  checkTail(values);
  if (values.idle === 0n) throw invalidError('invalid --idle: it must be longer than 0s');
  if (group === undefined && instanceId !== undefined) throw usageError('--instance-id needs --group');
  if (group === undefined && values.groupProtocol !== undefined) throw usageError('--group-protocol needs --group');
  if (regex && partitions.length > 0) throw usageError('--regex and --partitions are mutually exclusive');
  if (values.printControlRecords && hasConditions(values)) {
    throw usageError('--print-control-records and conditions on records are mutually exclusive: markers never match');
  }
  if (values.explain && !hasConditions(values)) {
    throw usageError('--explain needs a condition: --where, --key, --header or --contains');
  }
  if (regex) compileLoosePatterns(values.topics); // reports an invalid one before any connection is made
}

function checkTail({ tail, offset, group, num, idle }: ConsumeValues): void {
  if (tail === undefined) return;
  const other =
    group !== undefined
      ? '--group'
      : num > 0
        ? '--num'
        : idle !== undefined
          ? '--idle'
          : offset !== 'start'
            ? '--offset'
            : undefined;
  if (other !== undefined) throw usageError(`--tail and ${other} are mutually exclusive`);
}

/** How to decode records; undefined if they are printed as they are stored. */
function decodingOf(context: Context, values: ConsumeValues): ConsumeDecoding | undefined {
  const { useSchemaRegistry, onDecodeError, metaOnly } = values;
  if (useSchemaRegistry.length === 0) {
    if (onDecodeError !== undefined) throw usageError('--on-decode-error needs --use-schema-registry');
    if (values.schemaContext !== undefined) throw usageError('--schema-context needs --use-schema-registry');
    return undefined;
  }
  const { key, value } = decodedFields(useSchemaRegistry);
  const part = values.topics.length > 1 ? values.topics.find((topic) => /^(key|value)$/.test(topic)) : undefined;
  if (part !== undefined && key && value)
    context.warn(`"${part}" is read as a topic; to decode only the ${part}: --use-schema-registry=${part}`);
  const options = { key, value: value && !metaOnly, plainKeys: key && value, onError: onDecodeError ?? 'raw' };
  return consumeDecoding(context, options, {
    isForConditions: hasConditions(values),
    schemaContext: recordContext(context, values),
  });
}

/**
 * The record format: `-f`, otherwise JSON according to `--format` and `--pretty-print`; pretty only on a terminal, where
 * also what could control it is escaped.
 */
function recordFormat({ flags, host }: Context, values: ConsumeValues, purpose: Purpose): FormatSource {
  const { recordFormat: layout, metaOnly } = values;
  const machine = flags.format === 'json' || flags.format === 'yaml';
  if (layout !== undefined && layout !== 'json') {
    if (machine) throw usageError(`-f and --format ${flags.format} are mutually exclusive`);
    return layout === 'csv' ? { csv: true } : { layout };
  }
  const isSimple = values.topics.length === 1 && !values.regex;
  if (purpose === 'search' && !machine && layout === undefined && !metaOnly) return { found: { hasTopic: !isSimple } };
  const pretty = values.prettyPrint ?? (host.stdout.isTerminal && flags.format !== 'yaml');
  const parsesJson = values.parseJson ?? host.stdout.isTerminal;
  const json = { pretty, metaOnly, parsesJson, isForTerminal: host.stdout.isTerminal };
  return { json, isYaml: flags.format === 'yaml' };
}
