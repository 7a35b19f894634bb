import type { ValuesOf } from '../../../cli/command.ts';
import type { Context } from '../../../context.ts';
import { usageError } from '../../../errors.ts';
import { grouped } from '../../../format/count.ts';
import { printable } from '../../../format/printable.ts';
import { shellWord } from '../../../format/shell-word.ts';
import type { FilterSource, RecordFilter } from '../../../kafka/records/filter/filter.ts';
import { framedHint } from '../../../kafka/records/filter/framed.ts';
import { decodedFields } from '../../../kafka/records/language/decoding.ts';
import type { PrintFilter } from '../../../kafka/streams/consume/printer.ts';
import type { Sifted } from '../../../kafka/streams/consume/walk-piece.ts';
import type { conditionFlags, explainFlag } from './flags.ts';
import type { ConsumeDecoding } from './schemas.ts';

/** The values of the flags that choose records. */
type ConditionValues = ValuesOf<typeof conditionFlags>;

/** The same, and whether to say how they are evaluated. */
type ExplainedValues = ConditionValues & ValuesOf<typeof explainFlag>;

/** Whether a flag chooses records. */
export function hasConditions({ where, key, header, contains }: ConditionValues): boolean {
  return where.length + key.length + header.length + contains.length > 0;
}

/** Returns what the flags choose. */
function conditionsOf({ where, key: keys, header: headers, contains }: ConditionValues): FilterSource {
  const nameless = headers.find((one) => one === '' || one.startsWith('='));
  if (nameless !== undefined) throw usageError(`--header ${nameless || '""'} has no name: use NAME=VALUE or NAME`);
  if (contains.includes('')) throw usageError('--contains is empty: every record contains that');
  return { where, keys, headers, contains };
}

/** A filter for `topic consume` and `topic search`, with what it has seen. */
export interface ConsumeFiltering extends PrintFilter {
  /** The records that it has seen so far, matching or not. */
  scanned(): number;
  /** How many of them could not be decided. */
  undecided(): number;
  /** Returns the lines for the start of the command. */
  explanation(): readonly string[];
  /** Returns the lines for its end: about records that could not be decided, if there are any. */
  summary(): readonly string[];
}

/** How records are read. */
interface Reading {
  readonly decode: ConsumeDecoding | undefined;
  readonly isEndless: boolean;
}

/** Creates the filter that the flags describe; undefined if they choose no records. */
export async function consumeFiltering(
  context: Context,
  values: ExplainedValues,
  { decode, isEndless }: Reading,
): Promise<ConsumeFiltering | undefined> {
  if (!hasConditions(values)) return undefined;
  const source = conditionsOf(values);
  const [{ openFilter }, { joinFaults, noFaults }] = await Promise.all([
    import('../../../kafka/records/filter/filter.ts'),
    import('../../../kafka/records/filter/faults.ts'),
  ]);
  const filter = await openFilter(source, decodedFields(decode?.options, decode?.decoding));
  const done = {
    ...{ records: 0, tested: 0, refuted: 0, matched: 0, undecided: 0 },
    ...{ batches: 0, skippedByHead: 0, skippedByBytes: 0 },
  };
  let [faults, skippedFaults] = [noFaults, noFaults];
  let framed: 'key' | 'value' | undefined;
  function hintOf(): string | undefined {
    if (done.matched > 0 || done.undecided > 0) return faults.advice;
    const colon = values.header.find((one) => one.includes(':') && !one.includes('='));
    if (colon !== undefined)
      return `a header with a value is NAME=VALUE: --header ${shellWord(colon.replace(':', '='))}`;
    return framed === undefined ? skippedFaults.advice : framedHint(framed);
  }
  return {
    filter,
    onSifted({ faults: its, skippedFaults: skipped, framed: field, ...counts }: Sifted) {
      framed ??= field;
      // Its end may be far away.
      if (isEndless && faults.first === undefined && its.first !== undefined) {
        context.warn(`unable to decide whether a record matches: ${its.first} (others are only counted)`);
      }
      faults = joinFaults(faults, its);
      skippedFaults = joinFaults(skippedFaults, skipped);
      for (const name of Object.keys(done) as (keyof typeof done)[]) done[name] += counts[name];
    },
    scanned: () => done.records,
    undecided: () => done.undecided,
    explanation: () => (values.explain ? stagesOf(filter) : []),
    summary() {
      const { undecided } = done;
      const hint = hintOf();
      const were = `${undecided === 1 ? 'was' : 'were'} left out because the condition could not be evaluated`;
      const first = isEndless ? '' : `; the first: ${faults.first}`;
      return [
        ...(values.explain ? [workOf(done)] : []),
        ...(undecided === 0 ? [] : [`${grouped(undecided, 'record')} ${were}${first}`]),
        ...(hint === undefined ? [] : [`hint: ${hint}`]),
      ];
    },
  };
}

/** What is said of a filter. */
type ExplainedFilter = Pick<RecordFilter, 'bounds' | 'need' | 'ifKept' | 'peeksAt'>;

/** Says which stages a filter has, one line each. */
function stagesOf({ bounds, need, ifKept, peeksAt }: ExplainedFilter): readonly string[] {
  const { partitions, minOffset, maxOffset, minTime } = bounds;
  const parts = [
    partitions === undefined ? '' : `partitions ${[...partitions].join(', ') || 'none'}`,
    minOffset === undefined ? '' : `offsets from ${minOffset}`,
    maxOffset === undefined ? '' : `offsets up to ${maxOffset}`,
    minTime === undefined ? '' : `times from ${minTime}`,
  ].filter((part) => part !== '');
  const bytes = need?.map((one) => printable(String(one))).join('  or  ');
  const without = bytes === undefined ? 'none, there is nothing that every match contains' : `those without  ${bytes}`;
  const kept = ifKept.length === 0 ? '' : ', if their schemas keep texts as they are';
  const peeks = peeksAt.length === 0 ? '' : `, except those that the bytes after ${peeksAt.join(' or ')} rule out`;
  return [
    `explain: 1. fetched: ${parts.join('; ') || 'all of the range'}`,
    `explain: 2. batches skipped by their header: ${parts.length === 0 ? 'none' : 'those outside of this'}`,
    `explain: 3. batches skipped by their bytes: ${without}${kept}`,
    `explain: 4. the conditions are tested with the records that are left${peeks}`,
  ];
}

/** Says what the stages have done. */
function workOf(done: Omit<Sifted, 'faults' | 'skippedFaults' | 'framed' | 'matched'>): string {
  const { batches, skippedByHead, skippedByBytes, tested, refuted, records } = done;
  const skipped = `${grouped(skippedByHead)} skipped by their header, ${grouped(skippedByBytes)} by their bytes`;
  const others = refuted === 0 ? '' : `, ${grouped(refuted)} ruled out by the bytes after a name`;
  return `explain: ${grouped(batches)} whole batches: ${skipped}; ${grouped(tested)} of ${grouped(records, 'record')} tested${others}`;
}
