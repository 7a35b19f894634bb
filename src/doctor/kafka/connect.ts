import type { CliError } from '../../errors.ts';
import type { KafkaOptions, SaslOptions } from '../../kafka/protocol/options.ts';
import { netPeer } from '../../kafka/protocol/transport/connect-error.ts';
import {
  brokerName,
  type OpenConnection,
  openConnection,
  type SessionStep,
} from '../../kafka/protocol/transport/connection.ts';
import { dialSocket } from '../../kafka/protocol/transport/socket-link.ts';
import { fetch } from '../../kafka/protocol/wire/apis/fetch.ts';
import { metadata } from '../../kafka/protocol/wire/apis/metadata.ts';
import { produce } from '../../kafka/protocol/wire/apis/produce.ts';
import { type Address, isLocal } from '../../net/address.ts';
import type { TlsMaterial } from '../../net/tls.ts';
import type { TunnelTo } from '../../net/tunnel.ts';
import type { Chain, StepResult } from '../chain.ts';
import { checkDial } from '../inspect.ts';

/** What the checks of all brokers share. */
export interface KafkaParts {
  readonly options: KafkaOptions;
  readonly tls: TlsMaterial | undefined;
  readonly tunnelTo: TunnelTo | undefined;
  /** Why there is no token to sign in with, which is reported elsewhere; undefined if there is one, or if none is needed. */
  readonly withoutToken: CliError | undefined;
  /** The connections that the checks have opened; their creator closes them. */
  readonly connections: OpenConnection[];
}

/** A broker to connect to; the id of a seed broker is not known. */
export interface BrokerAddress {
  readonly address: Address;
  readonly nodeId: number | undefined;
}

/** Checks every step to a broker, from DNS to SASL, and returns the connection; undefined if a step has failed. */
export async function checkConnection(
  chain: Chain,
  parts: KafkaParts,
  { address, nodeId }: BrokerAddress,
): Promise<OpenConnection | undefined> {
  const { options, tls, tunnelTo } = parts;
  const broker = brokerName(address, nodeId);
  const peer = netPeer({ broker, host: address.host, tls: tls !== undefined });
  const { deadline } = options;
  await checkDial(chain, { address, peer, tls, tunnelTo, withoutTls: 'tls.enabled is false', deadline });
  return await openSession(chain, parts, { address, nodeId });
}

async function openSession(
  chain: Chain,
  parts: KafkaParts,
  { address, nodeId }: BrokerAddress,
): Promise<OpenConnection | undefined> {
  const { options, tls, tunnelTo, connections } = parts;
  if (chain.isOver) {
    chain.skip('api_versions', '');
    chain.skip('sasl', '');
    return undefined;
  }
  const { clock } = options.deadline;
  const times: Times = { dialedAt: clock.now(), began: new Map() };
  try {
    const opened = await openConnection({
      dial: options.dial ?? dialSocket,
      address,
      nodeId,
      allocate: undefined,
      clientId: options.clientId,
      softwareVersion: options.softwareVersion ?? 'unknown',
      tls,
      tunnelTo,
      sasl: options.sasl,
      howToSignIn: options.howToSignIn,
      signal: options.deadline.signal,
      deadline: options.deadline,
      served: new Set<string>(),
      trace: options.trace,
      onStep: (step) => void times.began.set(step, clock.now()),
    });
    connections.push(opened);
    const { sasl, howToSignIn } = options;
    const now = clock.now();
    chain.add('api_versions', versionsOf(opened), spent(times, 'API versions', times.began.get('SASL') ?? now));
    if (sasl !== undefined) chain.add('sasl', saslFound(sasl, address, tls !== undefined), spent(times, 'SASL', now));
    else chain.skip('sasl', howToSignIn === undefined ? 'user is not set' : 'sasl.mechanism is not set');
    return opened;
  } catch (error) {
    addFailure(chain, parts, error, times);
    return undefined;
  }
}

/** When the steps of a session began. */
interface Times {
  readonly dialedAt: number;
  readonly began: Map<SessionStep, number>;
}

function spent({ dialedAt, began }: Times, step: SessionStep, until: number): number {
  return until - (began.get(step) ?? dialedAt);
}

/** Adds a session that could not be opened: its failed step, and those before and after it. */
function addFailure(chain: Chain, { options, withoutToken }: KafkaParts, error: unknown, times: Times): void {
  const authenticatedAt = times.began.get('SASL');
  if (authenticatedAt !== undefined)
    chain.add('api_versions', { detail: 'answered' }, spent(times, 'API versions', authenticatedAt));
  if (error === withoutToken) {
    chain.endAfter('token');
    chain.skip('sasl', '');
    return;
  }
  const isSasl = authenticatedAt !== undefined;
  const duration = spent(times, isSasl ? 'SASL' : 'API versions', options.deadline.clock.now());
  // A broker refuses a client certificate after the handshake, with TLS 1.3.
  const failed = isTls(error) ? 'tls' : isSasl ? 'sasl' : 'api_versions';
  chain.fail(failed, error, duration);
  if (failed === 'tls') chain.skip('api_versions', '');
  if (failed !== 'sasl') chain.skip('sasl', '');
}

function isTls(error: unknown): boolean {
  return error instanceof Error && (error as CliError).code === 'TLS_FAILED';
}

/** The versions that weir uses of the main APIs, or a warning for those that have none in common with it. */
function versionsOf(connection: OpenConnection): Omit<StepResult<unknown>, 'value'> {
  const used: string[] = [];
  const missing: CliError[] = [];
  for (const api of [metadata, produce, fetch]) {
    try {
      used.push(`${api.name} ${connection.version(api)}`);
    } catch (error) {
      missing.push(error as CliError);
    }
  }
  if (missing.length === 0) return { detail: used.join(', ') };
  return {
    detail: [...missing.map(({ message }) => message), used.join(', ')].join('; '),
    warning: [...new Set(missing.flatMap(({ hints }) => hints))],
  };
}

/** What is known of the authentication that has succeeded: a warning if others could read the password. */
export function saslFound(sasl: SaslOptions, address: Address, isTls: boolean): Omit<StepResult<unknown>, 'value'> {
  const { mechanism } = sasl;
  const isToken = mechanism === 'OAUTHBEARER';
  const detail = 'username' in sasl ? `${mechanism} as user "${sasl.username}"` : mechanism;
  if ((mechanism !== 'PLAIN' && !isToken) || isTls || isLocal(address)) return { detail };
  const secret = isToken ? 'token' : 'password';
  return { detail: `${detail}, with the ${secret} unencrypted`, warning: ['turn on TLS: -X tls.enabled=true'] };
}
