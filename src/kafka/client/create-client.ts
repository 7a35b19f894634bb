import { CliError, unreachableError } from '../../errors.ts';
import { createRetry } from '../../net/retry.ts';
import { kafkaError, kafkaErrorKind, kafkaErrorText } from '../errors.ts';
import type { KafkaOptions } from '../kafka.ts';
import type { Api } from '../protocol/api.ts';
import { openConnection } from '../transport/connection.ts';
import { createPool } from '../transport/pool.ts';
import type { BrokerConnection, Client, Target } from './client.ts';
import { createRouter, type Router } from './router.ts';

/** Makes the broker client. Nothing is read or dialled before the first request. */
export function createClient(options: KafkaOptions): Client {
  const { deadline } = options;
  const controller = new AbortController();
  const closed = unreachableError('the client was closed', { code: 'CLOSED', retryable: false });
  const material = once(async () => {
    if (options.tls === undefined) return undefined;
    const { readTls } = await import('../../net/tls.ts');
    return readTls(options.tls);
  });
  const cuts = new Set<string>();
  const pool = createPool(async ({ address, nodeId, allocate }) =>
    openConnection({
      address,
      nodeId,
      allocate,
      clientId: options.clientId,
      softwareVersion: options.softwareVersion ?? 'unknown',
      tls: await material(),
      sasl: options.sasl,
      deadline,
      signal: controller.signal,
      trace: options.trace,
      cuts,
    }),
  );
  const router = createRouter(pool, options.brokers);
  const retry = createRetry(deadline);

  function end(reason: Error): void {
    controller.abort(reason);
    pool.destroy(reason);
  }
  const onDeadline = (): void => end(deadline.signal.reason);
  if (deadline.signal.aborted) onDeadline();
  else deadline.signal.addEventListener('abort', onDeadline, { once: true });

  return {
    options,
    retry,
    requestOnce: (api, request, target) => attempt(router, { api, request, target }),
    request: (api, request, target) => retry(api.name, () => attempt(router, { api, request, target })),
    metadata: (topics) => retry('Metadata', () => router.metadata(topics === 'all' ? undefined : topics)),
    dedicated: (target, how) => router.dedicated(typeof target === 'number' ? { node: target } : target, how),
    close() {
      deadline.signal.removeEventListener('abort', onDeadline);
      end(closed);
    },
  };
}

/** One request to one target. */
interface Call<Request, Response> {
  readonly api: Api<Request, Response>;
  readonly request: Request;
  readonly target: Target;
}

/** Answers that say nothing was done, so that even what must not be done twice may be sent again. */
const notDone: ReadonlySet<number> = new Set([
  5, // LEADER_NOT_AVAILABLE
  6, // NOT_LEADER_OR_FOLLOWER
  14, // COORDINATOR_LOAD_IN_PROGRESS
  15, // COORDINATOR_NOT_AVAILABLE
  16, // NOT_COORDINATOR
  41, // NOT_CONTROLLER
  51, // CONCURRENT_TRANSACTIONS
  89, // THROTTLING_QUOTA_EXCEEDED
]);

async function attempt<Request, Response>(
  router: Router,
  { api, request, target }: Call<Request, Response>,
): Promise<Response> {
  let connection: BrokerConnection;
  let response: Response;
  try {
    connection = await router.connection(target, api.held);
    response = await connection.send(api, request);
  } catch (error) {
    // The broker may be gone: the next attempt looks again where the target is.
    if (error instanceof CliError && error.retryable) router.forget(target);
    throw error;
  }
  const code = api.errorCode?.(response) ?? 0;
  if (code === 0 || !kafkaErrorKind(code).retriable) return response;
  router.forget(target);
  const error = kafkaError(code, `${api.name} request to ${connection.address} failed: ${kafkaErrorText(code)}`);
  // A lasting answer (an unknown topic) is the caller's to word; so is one that may have been carried out.
  if (!error.retryable || (!api.repeatable && !notDone.has(code))) return response;
  throw error;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
