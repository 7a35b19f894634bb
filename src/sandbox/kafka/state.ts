import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../../errors.ts';
import type { ProcessId } from '../process.ts';
import type { Mechanism, User } from './properties.ts';

/** What Kafka runs in. */
export type EngineName = 'java' | 'docker' | 'podman';

/** What clients must bring. */
export interface Security {
  readonly tls: boolean;
  /** Client certificates are demanded; `tls` is on as well. */
  readonly mtls: boolean;
  readonly sasl: Mechanism | null;
}

/** One broker as it was started last. */
export interface BrokerState {
  readonly id: number;
  readonly port: number;
  readonly internalPort: number;
  readonly controllerPort: number;
  /** Null when it is stopped or runs in a container. */
  readonly process: ProcessId | null;
  /** The container's id; null when it is stopped or a process. */
  readonly container: string | null;
}

/** What is kept about the Kafka of a sandbox. */
export interface KafkaState {
  readonly kafkaVersion: string;
  readonly engine: EngineName;
  readonly clusterId: string;
  readonly security: Security;
  /** Who clients are, with SASL. */
  readonly user: User | null;
  readonly brokers: readonly BrokerState[];
}

const fileName = 'kafka.json';

/** Reads what was kept in the part's directory; undefined when there is nothing. */
export async function readKafkaState(directory: string): Promise<KafkaState | undefined> {
  const file = join(directory, fileName);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as KafkaState;
  } catch (cause) {
    throw new CliError(exitCodes.failure, `unable to read ${file}: it is not JSON`, {
      hints: ['"weir sandbox purge" removes the sandbox; processes that still run must be ended by hand'],
      cause,
    });
  }
}

/** Writes it whole: to a file beside it that is then renamed. */
export async function writeKafkaState(directory: string, state: KafkaState): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, fileName);
  await writeFile(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}
