import { createPace } from '../../../clock.ts';
import type { Context } from '../../../context.ts';
import { compactJson } from '../../../format/json-indent.ts';
import { numberFor, textFor } from '../../../serde/example-names.ts';
import { below, type Random } from '../../../serde/random.ts';

/** How many records to make, and how fast. */
export interface GeneratedLimits {
  /** Records a second; undefined for as many as possible. */
  readonly rate: number | undefined;
  /** Milliseconds; undefined for no limit. */
  readonly forMs: number | undefined;
  /** Records; undefined for no limit. */
  readonly num: number | undefined;
}

/** How many records the limits allow; infinite if only the time says so, or nothing. */
export function totalOf({ rate, forMs, num = Number.POSITIVE_INFINITY }: GeneratedLimits): number {
  return forMs === undefined || rate === undefined ? num : Math.min(num, Math.ceil((forMs / 1000) * rate));
}

/** The most records of a chunk of the input. */
const mostOfChunk = 1000;
/** The longest pause, in milliseconds, after which a stop is noticed; what it has delayed is made after the time as well. */
const longestPauseMs = 100;

/**
 * Makes input as if somebody wrote it: as much as is due, then a pause. It stops when its reader does.
 * @param makeOne returns one record with the end of its line
 * @param onShort called at the end of the time if fewer records were made than the rate says
 */
export async function* generatedInput(
  makeOne: () => string,
  limits: GeneratedLimits,
  clock: Context['clock'],
  onShort: (made: number, total: number) => void,
): AsyncGenerator<string> {
  const { rate, forMs = Number.POSITIVE_INFINITY } = limits;
  const mostMs = forMs + (rate === undefined ? 0 : longestPauseMs);
  const startedAt = clock.now();
  const pace = rate === undefined ? undefined : createPace(rate, clock.now);
  const total = totalOf(limits);
  for (let made = 0; made < total; ) {
    if (clock.now() - startedAt >= mostMs) {
      if (rate !== undefined) onShort(made, total);
      return;
    }
    const count = Math.min(pace?.due() ?? total, total, made + mostOfChunk) - made;
    if (count > 0) yield Array.from({ length: count }, makeOne).join('');
    made += Math.max(count, 0);
    // Without a rate it waits too: the records that are made are sent meanwhile.
    await clock.sleep(Math.min(Math.max(pace?.waitMs(made) ?? 0, 0), longestPauseMs));
  }
}

/** Returns how to make records of a shop, a key and JSON on each line, which need no schema. */
export function sampleRecords(random: Random): () => string {
  let order = 1000;
  return () => {
    const customer = `c-${1 + below(random, 500)}`;
    order += 1;
    const value = {
      order_id: order,
      customer_id: customer,
      customer: textFor('customer', random),
      email: textFor('email', random),
      country: textFor('country', random),
      product: textFor('product', random),
      quantity: Number(numberFor('quantity', random)),
      price: Number(numberFor('price', random)),
      currency: textFor('currency', random),
      status: ['new', 'paid', 'sent', 'returned'][below(random, 4)],
      created_at: textFor('created_at', random),
    };
    return `${customer} ${JSON.stringify(value)}\n`;
  };
}

/** Returns how to make records of examples of a schema, and of one for keys if there is one. */
export function schemaRecords(value: () => string, key: (() => string) | undefined): () => string {
  return () => `${key === undefined ? '' : `${compactJson(key())} `}${compactJson(value())}\n`;
}
