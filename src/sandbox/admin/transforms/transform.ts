/** A deployed transform. */
export interface Transform {
  readonly name: string;
  readonly inputTopic: string;
  readonly outputTopics: readonly string[];
  readonly environment: readonly { readonly key: string; readonly value: string }[];
  readonly compression: string;
  readonly isPaused: boolean;
  readonly moduleBytes: number;
  /** Virtual time in milliseconds since the epoch; its processors start some time after it. */
  readonly deployedAt: number;
}

/** The codecs of its output. */
export const compressions = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
