import type { Api } from '../../../../../src/kafka/protocol/wire/api.ts';

/** A message. */
export interface Message {
  /** The fields, as Kafka's own JSON converters name them. */
  readonly kafka: unknown;
}

/** A request and an answer of one API, whose bytes Kafka's own classes have written. */
export interface GoldenCase {
  readonly api: Api<never, unknown>;
  readonly request: Message;
  readonly answer: Message;
}

/** A message in one version. */
export interface VersionedMessage {
  /** The key of the recorded bytes. */
  readonly key: string;
  /** The name of Kafka's class, without `Data`. */
  readonly name: string;
  readonly api: Api<never, unknown>;
  readonly version: number;
  readonly kind: 'Request' | 'Response';
  readonly message: Message;
}

/** The messages of all cases, in every version that weir speaks. */
export function messagesOf(cases: readonly GoldenCase[]): readonly VersionedMessage[] {
  return cases.flatMap(({ api, request, answer }, at) => {
    const versions = Array.from({ length: api.max - api.min + 1 }, (_, index) => api.min + index);
    return versions.flatMap((version) =>
      (
        [
          ['Request', request],
          ['Response', answer],
        ] as const
      ).map(([kind, message]) => {
        const name = `${api.name}${kind}`;
        return { key: `${at} ${name} v${version}`, name, api, version, kind, message };
      }),
    );
  });
}
