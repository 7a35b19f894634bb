import { CliError, type ItemError, itemErrorOf } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { progressOfAll, type RunProgress, repeatHint } from '../failures.ts';
import type { CopiedTopic } from './copy-rows.ts';
import { copyWording } from './errors.ts';
import { planTranslation } from './group-offsets.ts';
import type { PlannedPair } from './pair.ts';
import { openPairCopy } from './pair-copy.ts';
import { planPairs } from './plan.ts';
import type { Copying, CopyRequest } from './request.ts';

/** Checks both sides and finds out where to begin; reads no records before `run`. */
export async function copyTopics(client: Client, request: CopyRequest): Promise<Copying> {
  const pairs = await planPairs(client, request);
  const translation = request.groups.length === 0 ? undefined : await planTranslation(client, request, pairs);
  // Topics that are followed are copied at once, others one after the other.
  const atOnce = request.range.end === undefined ? pairs.length : 1;
  let copied = 0;
  let report = (_copied: number): void => undefined;
  const onCopied = (records: number): void => {
    copied += records;
    report(copied);
  };
  const copies = pairs.map((pair) => ({ pair, transfer: openPairCopy(client, { request, pair, atOnce, onCopied }) }));
  const copyOne = async ({ pair, transfer }: (typeof copies)[number]): Promise<CopiedTopic> => {
    let error: ItemError | null = null;
    try {
      await transfer.run();
    } catch (failure) {
      const isOfTopic = pairs.length > 1 && failure instanceof CliError && !client.options.deadline.signal.aborted;
      if (!isOfTopic) throw failure;
      error = rowErrorOf(failure, request, transfer.reached);
    }
    return { ...plannedRow(pair), ...transfer.reached.written, error };
  };
  const openEnded = <Result>(work: () => Promise<Result>): Promise<Result> =>
    client.options.deadline.openEnded(() => request.target.client.options.deadline.openEnded(work));
  return {
    planned: pairs.map(plannedRow),
    get again() {
      return repeatHint(copyWording(request), progressOfAll(copies.map(({ transfer }) => transfer.reached)));
    },
    run(onProgress) {
      report = onProgress;
      return openEnded(async () => {
        if (atOnce > 1) return await Promise.all(copies.map(copyOne));
        const rows: CopiedTopic[] = [];
        for (const copy of copies) rows.push(await copyOne(copy));
        return rows;
      });
    },
    translateOffsets: async (isDry) =>
      translation === undefined ? [] : await openEnded(() => translation.translate(isDry)),
    stop() {
      for (const { transfer } of copies) transfer.stop();
    },
    get pending() {
      return copies.reduce((sum, { transfer }) => sum + transfer.pending, 0);
    },
  };
}

/** The error of one of several topics; a row has no hints, so it says itself what is copied again. */
function rowErrorOf(failure: CliError, request: CopyRequest, reached: RunProgress): ItemError {
  const error = itemErrorOf(failure);
  if (reached.forgotten + reached.inDoubt === 0) return error;
  return { ...error, message: `${error.message}; ${repeatHint(copyWording(request), reached)}` };
}

function plannedRow({ source, target, starts }: PlannedPair): CopiedTopic {
  const offsets = starts.reduce((sum, { offset, end = offset }) => sum + (end > offset ? end - offset : 0n), 0n);
  return {
    topic: source.name,
    destination: target.name,
    partitions: source.partitions.length,
    records: Number(offsets),
    bytes: null,
    error: null,
  };
}
