import { CliError, exitCodes } from '../../../errors.ts';
import { count } from '../../../format/count.ts';
import { commandText } from '../../../format/shell-word.ts';
import type { Client } from '../../protocol/client/client.ts';
import { describeConfigs, resourceTypes } from '../../protocol/wire/apis/describe-configs.ts';
import { hintAt, placeName } from './errors.ts';
import type { PlannedPair } from './pair.ts';
import type { CopyRequest } from './request.ts';
import { encodeProgress, metadataBytes } from './stored-progress.ts';

/** More records than a partition gets while it is followed: the offset takes seven bytes. */
const mostRecords = 2n ** 49n - 1n;
/** A leader epoch that takes two bytes. */
const highEpoch = 16_382;

/**
 * Refuses a copy whose progress would get too long while it goes on: from then on every run would repeat records.
 * @throws CliError if the partitions of the destination cannot store the progress of all those of the source
 */
export async function checkRoom(pair: PlannedPair, request: CopyRequest): Promise<void> {
  const { source, target, starts } = pair;
  const { client, profile } = request.target;
  const { name, lanes } = target;
  const have = lanes.length;
  const partitions = new Set([...pair.copied.keys(), ...starts.map(({ partition }) => partition)]);
  if (Math.max(-1, ...partitions) < have) return;
  const limit = await readLimit(client).catch(() => metadataBytes);
  const fits = (count: number): boolean => longestOf(pair, count) <= limit;
  if (fits(have)) return;
  const needed = leastThat(fits, { from: have + 1, to: Math.max(...partitions) + 1 });
  const [from, to] = [placeName(source.name, request.profile), placeName(name, profile)];
  const message = `unable to copy topic "${from}" to "${to}": "${to}" has ${count(have, 'partition')}, too few to store the progress of ${partitions.size} (offset.metadata.max.bytes=${limit})`;
  throw new CliError(exitCodes.conflict, message, {
    code: 'TOO_FEW_PARTITIONS',
    target: name,
    hints: [
      hintAt(
        profile,
        commandText`give the destination at least ${needed} partitions: weir topic add-partitions ${name} -n ${needed - have}`,
      ),
      'or raise offset.metadata.max.bytes of its brokers',
    ],
  });
}

/** The size of the longest metadata that the copy may have to store in so many partitions. */
function longestOf(pair: PlannedPair, partitions: number): number {
  const { source, target, starts } = pair;
  const epoch = Math.max(highEpoch, ...source.partitions.map(({ leaderEpoch }) => leaderEpoch * 2));
  const longest = new Map([...pair.copied].map(([partition, { offset }]) => [partition, { offset, epoch }]));
  for (const { partition, offset, end = offset + mostRecords } of starts) {
    longest.set(partition, { offset: end > offset ? end : offset, epoch });
  }
  const stored = encodeProgress(target.name, { ...pair, partitions: longest }, partitions);
  return Math.max(...stored.map(({ metadata }) => metadata.length));
}

/** The first number that fits, if all after it do as well. */
function leastThat(fits: (number: number) => boolean, range: { readonly from: number; readonly to: number }): number {
  let { from, to } = range;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (fits(middle)) to = middle;
    else from = middle + 1;
  }
  return to;
}

/** Reads how many bytes of metadata the brokers store with an offset. */
async function readLimit(client: Client): Promise<number> {
  const key = 'offset.metadata.max.bytes';
  const [broker] = (await client.metadata([])).brokers;
  if (broker === undefined) return metadataBytes;
  const resource = { resourceType: resourceTypes.broker, resourceName: String(broker.id), configurationKeys: [key] };
  const { results } = await client.requestOnce(describeConfigs, { resources: [resource] }, { node: broker.id });
  const value = Number(results[0]?.configs.find(({ name }) => name === key)?.value ?? Number.NaN);
  return value >= 0 ? value : metadataBytes;
}
