import { CliError, type ItemError, itemErrorOf } from '../../../errors.ts';
import type { Client } from '../../protocol/client/client.ts';
import { type Reached, reachedByAll, repeatHint } from '../failures.ts';
import type { RunningTransfer } from '../loop.ts';
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
  const deadlines = [client.options.deadline, request.target.client.options.deadline] as const;
  const copies = new Set<RunningTransfer>();
  const state = { isStopped: false, copied: 0 };
  // Topics that are followed are copied at once, others one after the other.
  const atOnce = request.range.end === undefined ? pairs.length : 1;
  const copyOne = async (pair: PlannedPair, onCopied: (records: number) => void): Promise<CopiedTopic> => {
    const copy = openPairCopy(client, { request, pair, atOnce, onCopied });
    copies.add(copy);
    if (state.isStopped) copy.stop();
    const error = await copy.run().then(
      () => null,
      (failure: unknown) => {
        const isOne = pairs.length > 1 && failure instanceof CliError && !deadlines[0].signal.aborted;
        if (!isOne) throw failure;
        return rowErrorOf(failure, request, copy.reached);
      },
    );
    return { ...plannedRow(pair), ...copy.reached.written, error };
  };
  return {
    planned: pairs.map(plannedRow),
    get again() {
      return repeatHint(copyWording(request), reachedByAll(copies.values().map(({ reached }) => reached)));
    },
    run(onCopied) {
      const count = (records: number): void => {
        state.copied += records;
        onCopied(state.copied);
      };
      return deadlines[0].openEnded(() =>
        deadlines[1].openEnded(async () => {
          if (atOnce > 1) return await Promise.all(pairs.map((pair) => copyOne(pair, count)));
          const rows: CopiedTopic[] = [];
          for (const pair of pairs) rows.push(await copyOne(pair, count));
          return rows;
        }),
      );
    },
    translateOffsets: async (isDry) =>
      translation === undefined
        ? []
        : await deadlines[0].openEnded(() => deadlines[1].openEnded(() => translation.translate(isDry))),
    stop() {
      state.isStopped = true;
      for (const copy of copies) copy.stop();
    },
    get pending() {
      return copies.values().reduce((sum, copy) => sum + copy.pending, 0);
    },
  };
}

/** The error of one of several topics; a row has no hints, so it says itself what is copied again. */
function rowErrorOf(failure: CliError, request: CopyRequest, reached: Reached): ItemError {
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
