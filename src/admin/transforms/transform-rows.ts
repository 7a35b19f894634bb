/** What a transform does with one partition of its input topic. */
export interface TransformPartition {
  readonly partition: number;
  /** The broker that runs it; null if there is none. */
  readonly node_id: number | null;
  /** `running`, `inactive` (paused or starting), `errored` or `unknown`; newer versions may have others. */
  readonly status: string;
  /** How many records of the input wait for it. */
  readonly lag: number;
}

/** A deployed transform. */
export interface Transform {
  readonly name: string;
  readonly input_topic: string;
  readonly output_topics: readonly string[];
  readonly environment: readonly EnvironmentVariable[];
  readonly compression: string;
  /** Sorted by partition. */
  readonly partitions: readonly TransformPartition[];
}

/** A variable that a transform can read. */
export interface EnvironmentVariable {
  readonly key: string;
  readonly value: string;
}

/** Where a transform begins to read when it is deployed for the first time. */
export interface StartOffset {
  /** Records from the log start, records before the log end, or milliseconds since the epoch. */
  readonly format: 'from_start' | 'from_end' | 'timestamp';
  readonly value: number;
}

/** A transform to deploy; fields that are left out have the defaults of the server. */
export interface Deployment {
  readonly name: string;
  readonly input_topic: string;
  readonly output_topics: readonly string[];
  readonly environment: readonly EnvironmentVariable[];
  readonly compression?: string;
  readonly offset?: StartOffset;
}

/** The calls about WebAssembly transforms. */
export interface TransformCalls {
  /** The transforms, sorted by name. */
  transforms(): Promise<readonly Transform[]>;
  /**
   * Deploys a transform, or a new version of one with the same name, which continues where the old one was.
   * @param module the WebAssembly module
   */
  deployTransform(deployment: Deployment, module: Uint8Array): Promise<void>;
  /** Deletes a transform with its position in the input. */
  deleteTransform(name: string): Promise<void>;
  /** Pauses or resumes a transform. */
  setTransformPaused(name: string, isPaused: boolean): Promise<void>;
}
