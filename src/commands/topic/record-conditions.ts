import type { ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import type { FilterSource } from '../../kafka/records/filter/filter.ts';
import { framedHint } from '../../kafka/records/filter/framed.ts';
import { decodedFields } from '../../kafka/records/language/decoding.ts';
import type { PrintDecoding, PrintFilter } from '../../kafka/streams/consume/printer.ts';
import type { Sifted } from '../../kafka/streams/consume/walk-piece.ts';
import { stagesOf, workOf } from './explain-conditions.ts';
import type { conditionFlags, explainFlag } from './record-flags.ts';

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
  readonly decode: PrintDecoding | undefined;
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
    import('../../kafka/records/filter/filter.ts'),
    import('../../kafka/records/filter/faults.ts'),
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
    return framed === undefined ? skippedFaults.advice : framedHint(framed);
  }
  return {
    source,
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
      const were = `${undecided === 1 ? 'was' : 'were'} left out${isEndless ? '' : `; the first: ${faults.first}`}`;
      return [
        ...(values.explain ? [workOf(done)] : []),
        ...(undecided === 0 ? [] : [`${grouped(undecided, 'record')} could not be decided and ${were}`]),
        ...(hint === undefined ? [] : [`hint: ${hint}`]),
      ];
    },
  };
}
