import type { ValuesOf } from '../../cli/command.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { grouped } from '../../format/count.ts';
import type { PrintDecoding, PrintFilter } from '../../kafka/consume/printer.ts';
import type { Sifted } from '../../kafka/consume/walk-piece.ts';
import type { FilterSource } from '../../kafka/filter/filter.ts';
import { decodedFields } from '../../kafka/record-language/decoding.ts';
import type { conditionFlags } from './record-flags.ts';

/** The values of the flags that choose records. */
type ConditionValues = ValuesOf<typeof conditionFlags>;

/** Whether a flag chooses records. */
export function hasConditions({ where, key, header, contains }: ConditionValues): boolean {
  return where.length + header.length + contains.length > 0 || key !== undefined;
}

/** Returns what the flags choose. */
function conditionsOf({ where, key, header: headers, contains }: ConditionValues): FilterSource {
  const nameless = headers.find((one) => one === '' || one.startsWith('='));
  if (nameless !== undefined) throw usageError(`--header ${nameless || '""'} has no name: use NAME=VALUE or NAME`);
  if (contains.includes('')) throw usageError('--contains is empty: every record contains that');
  return { where, key, headers, contains };
}

/** A filter for `topic consume` and `topic search`, with what it has seen. */
export interface ConsumeFiltering extends PrintFilter {
  /** The records that it has seen so far, matching or not. */
  scanned(): number;
  /** Returns the line about records that could not be decided; undefined if there are none. */
  summary(): string | undefined;
}

/** How records are read. */
interface Reading {
  readonly decode: PrintDecoding | undefined;
  readonly isEndless: boolean;
}

/** Creates the filter that the flags describe; undefined if they choose no records. */
export async function consumeFiltering(
  context: Context,
  values: ConditionValues,
  { decode, isEndless }: Reading,
): Promise<ConsumeFiltering | undefined> {
  if (!hasConditions(values)) return undefined;
  const source = conditionsOf(values);
  const { openFilter } = await import('../../kafka/filter/filter.ts');
  const filter = await openFilter(source, decodedFields(decode?.options, decode?.decoding));
  let [scanned, undecided] = [0, 0];
  let first = '';
  return {
    source,
    filter,
    onSifted(sifted: Sifted) {
      scanned += sifted.records;
      if (sifted.firstUndecided === undefined) return;
      if (undecided === 0) {
        first = sifted.firstUndecided;
        // Its end may be far away.
        if (isEndless) context.warn(`unable to decide whether a record matches: ${first} (others are only counted)`);
      }
      undecided += sifted.undecided;
    },
    scanned: () => scanned,
    summary() {
      if (undecided === 0) return undefined;
      const which = isEndless ? '' : `; the first: ${first}`;
      return `${grouped(undecided, 'record')} could not be decided and ${undecided === 1 ? 'was' : 'were'} left out${which}`;
    },
  };
}
