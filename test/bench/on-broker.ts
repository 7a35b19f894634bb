import { type Case, compare, type Report } from './compare.ts';
import { mediansTable } from './markdown.ts';
import type { BenchOptions } from './options.ts';
import { inWorld, type Place, withBroker } from './world.ts';

/** Measures cases against a broker, and reports the medians of their times. */
export function compareOnBroker(options: BenchOptions, casesAt: (place: Place) => readonly Case[]): Promise<Report> {
  return inWorld((env) =>
    withBroker(env, async (brokers) => {
      const results = await compare(casesAt({ env, brokers }), options);
      return { results, text: '', page: mediansTable(results, 's') };
    }),
  );
}
