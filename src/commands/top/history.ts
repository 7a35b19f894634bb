import type { Overview } from '../../kafka/cluster/overview/overview-rows.ts';

/** The last values of something, the newest at the end; null where it was not known. */
export type Series = readonly (number | null)[];

/** What the readings so far have shown, for sparklines. */
export interface History {
  readonly records: Series;
  readonly lag: Series;
  /** Records written per second, by topic. */
  readonly topics: ReadonlyMap<string, Series>;
  /** Lag, by group. */
  readonly groups: ReadonlyMap<string, Series>;
}

/** Nothing has been read yet. */
export const noHistory: History = { records: [], lag: [], topics: new Map(), groups: new Map() };

/** How many values are kept: more than a wide terminal shows. */
const length = 120;

/** Adds a reading; what the cluster no longer has is forgotten. */
export function withReading(history: History, overview: Overview): History {
  return {
    records: append(history.records, overview.record_rate),
    lag: append(history.lag, asNumber(overview.lag)),
    topics: new Map(
      overview.topics.map(({ topic, record_rate: rate }) => [topic, append(history.topics.get(topic), rate)]),
    ),
    groups: new Map(overview.groups.map(({ group, lag }) => [group, append(history.groups.get(group), asNumber(lag))])),
  };
}

function append(series: Series = [], value: number | null): Series {
  return [...series.slice(-(length - 1)), value];
}

function asNumber(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
